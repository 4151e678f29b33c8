import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adjustPrice, type PriceAdjustment } from './adjust.ts';

const cases: [price: number, adjustment: PriceAdjustment, result: number | null][] = [
  [849_000, { percent: 2.5 }, 870_225],
  [849_000, { percent: 2.5, roundTo: 1_000 }, 870_000],
  [870_500, { percent: 0, roundTo: 1_000 }, 871_000],
  [870_499.99, { amount: 0, roundTo: 1_000 }, 870_000],
  [849_000, { percent: 2.7 }, 871_923],
  [1.005, { amount: 0 }, 1.01],
  [0.1, { amount: 0.2 }, 0.3],
  [100.35, { percent: 10 }, 110.39],
  [849_000, { amount: -9_000 }, 840_000],
  [849_000, { percent: -100 }, 0],
  [849_000, { amount: 12_345, roundTo: 5_000 }, 860_000],
  [7, { amount: 0, roundTo: 0.25 }, 7],
  [499, { amount: 0, roundTo: 1_000 }, 0],
  [1e12, { percent: 1 }, 1.01e12],
  [849_000, { amount: -849_000.01 }, null],
  [1, { percent: -100.5 }, null],
  [9e12, { percent: 100 }, null],
];
for (const [price, adjustment, result] of cases)
  test(`${price} adjusted by ${JSON.stringify(adjustment)} is ${result ?? 'no price'}`, () => {
    assert.equal(adjustPrice(price, adjustment), result);
  });
