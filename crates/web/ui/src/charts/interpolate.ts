// Takes the place of d3-interpolate in the bundle (build.mjs): our scales map numbers to
// numbers, and the colours, dates and strings of the original take a tenth of all scripts.

type Interpolator = (share: number) => number;

export function interpolateNumber(from: number, to: number): Interpolator {
  const [start, end] = [Number(from), Number(to)];
  return share => start * (1 - share) + end * share;
}

export function interpolateRound(from: number, to: number): Interpolator {
  const exact = interpolateNumber(from, to);
  return share => Math.round(exact(share));
}

export const interpolate = interpolateNumber;

/** For diverging colour scales, which we have none of. */
export function piecewise(): never {
  throw new TypeError('scales here map numbers to numbers');
}
