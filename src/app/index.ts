export { buildApp } from './build.ts';
