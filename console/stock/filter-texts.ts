/** The texts of the filters that a person types, which are loaded only then. */
export const filterTexts = {
  bedrooms: 'Bedrooms',
  bedroomsHint: 'Several with commas, such as 2, 3.',
  level: 'Level',
  levelHint: 'As it is written, such as 3. Several with commas.',
  priceFrom: 'Price from',
  priceTo: 'Price to',
};
