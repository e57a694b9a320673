// Charts for every page. Props are plain data; nothing here asks the server.

export { Lines, type LinesProps } from './area';
export { type BarItem, BarList } from './barlist';
export { Bars, type BarsProps } from './bars';
export * from './calendar';
export * from './data';
export { Scale, WeekHeat, YearHeat } from './heat';
export { Legend, Swatch } from './legend';
export { Sparkline } from './sparkline';
