export { BarChart, type Bar } from './bar-chart.tsx';
export { FigureTable, type FigureRow } from './figure-table.tsx';
export { LineChart, type Point } from './line-chart.tsx';
