import { PRICE_MAX } from '../../schemas.ts';

/** A change of a price: by an amount, or by per cent. */
export interface PriceAdjustment {
  percent?: number;
  amount?: number;
  /** The result is rounded to the nearest multiple of this, a half upwards; by default to a hundredth. */
  roundTo?: number;
}

/** A decimal number: `digits` divided by 10 to the power of `scale`. Unlike a JavaScript number, it is exact for fractions of a price. */
interface Decimal {
  digits: bigint;
  scale: number;
}

const CENT: Decimal = { digits: 1n, scale: 2 };

/** Adjusts a price. Returns null when the result would be below 0, or too high. */
export function adjustPrice(
  price: number,
  { percent, amount, roundTo }: PriceAdjustment,
): number | null {
  const old = toDecimal(price);
  const added = percent === undefined ? toDecimal(amount ?? 0) : multiply(old, percentOf(percent));
  const sum = add(old, added);
  if (sum.digits < 0n) return null;
  const rounded = roundToMultiple(sum, roundTo === undefined ? CENT : toDecimal(roundTo));
  const result = Number(`${rounded.digits}e-${rounded.scale}`);
  return result <= PRICE_MAX ? result : null;
}

const percentOf = (percent: number): Decimal => {
  const { digits, scale } = toDecimal(percent);
  return { digits, scale: scale + 2 };
};

function toDecimal(number: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(number).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { digits: digits * 10n ** BigInt(-scale), scale: 0 } : { digits, scale };
}

function multiply(a: Decimal, b: Decimal): Decimal {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale };
}

function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { digits: scaleTo(a, scale) + scaleTo(b, scale), scale };
}

const scaleTo = ({ digits, scale }: Decimal, wanted: number): bigint =>
  digits * 10n ** BigInt(wanted - scale);

/** Rounds a number that is not negative. */
function roundToMultiple(number: Decimal, multiple: Decimal): Decimal {
  const scale = Math.max(number.scale, multiple.scale);
  const unit = scaleTo(multiple, scale);
  const count = (2n * scaleTo(number, scale) + unit) / (2n * unit);
  return { digits: count * unit, scale };
}
