export { BarChart } from './bar-chart.tsx';
export { FigureTable } from './figure-table.tsx';
export { LineChart } from './line-chart.tsx';
