export const texts = {
  title: 'Order the units',
  hint: 'Drag a unit by its handle, press an arrow key on the handle, or type its place. Websites show the units in this order.',
  move: (name: string) => `Move ${name}`,
  place: (name: string) => `Place of ${name}`,
  save: 'Save the order',
  saved: 'The order is saved',
};
