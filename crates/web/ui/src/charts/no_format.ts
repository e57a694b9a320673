// Takes the place of d3-format in the bundle (build.mjs): d3-scale needs it for `tickFormat`
// alone, which nobody calls, because pages write numbers with core/format.

function unused(): never {
  throw new TypeError('write numbers with core/format');
}

export const format = unused;
export const formatPrefix = unused;
export const formatSpecifier = unused;
export const precisionFixed = unused;
export const precisionPrefix = unused;
export const precisionRound = unused;
