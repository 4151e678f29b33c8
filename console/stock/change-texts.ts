export const changeTexts = {
  withdraw: {
    title: (name: string) => `Withdraw ${name}`,
    explain: 'The unit leaves the website. Links of contacts stay.',
    action: 'Withdraw',
  },
  priceText: {
    title: (name: string) => `${name} without a price`,
    explain: 'Websites show this text in place of the price.',
    label: 'Text in place of the price',
    hint: 'For example: Price on request. Empty: websites show no price.',
    action: 'Save without a price',
    suggestion: 'Price on request',
  },
};
