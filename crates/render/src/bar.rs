//! Bars and sparklines in block characters.

/// Eighths of a cell, from the left.
const EIGHTHS: [char; 8] = ['▏', '▎', '▍', '▌', '▋', '▊', '▉', '█'];

/// Eighths of a cell, from below.
const LEVELS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A bar that fills a share of `width` cells. A share above 0 is always visible.
pub fn bar(share: f64, width: usize) -> String {
    let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a terminal's width"
    )]
    let eighths = (share * width as f64 * 8.0).round() as usize;
    let eighths = if share > 0.0 && width > 0 { eighths.max(1) } else { eighths };
    let mut bar = "█".repeat(eighths / 8);
    if !eighths.is_multiple_of(8) {
        bar.push(EIGHTHS[eighths % 8 - 1]);
    }
    bar
}

/// Numbers as levels up to `max`, in at most `width` cells: if there are more numbers,
/// each cell shows the highest of its share.
pub fn sparkline(values: &[u64], max: u64, width: usize) -> String {
    let cells = values.len().min(width);
    let level = |cell: usize| {
        let from = cell * values.len() / cells;
        let to = ((cell + 1) * values.len() / cells).max(from + 1);
        let highest = values[from..to].iter().copied().max().unwrap_or_default();
        let level = u128::from(highest) * 8 / u128::from(max.max(1));
        LEVELS[usize::try_from(level).unwrap_or(7).min(7)]
    };
    (0..cells).map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_end_in_eighths_and_never_overflow() {
        let table = [
            (0.0, 4, ""),
            (0.0001, 4, "▏"),
            (0.5, 4, "██"),
            (0.53, 4, "██▏"),
            (1.0, 4, "████"),
            (7.0, 4, "████"),
            (f64::NAN, 4, ""),
            (0.5, 0, ""),
        ];
        for (share, width, expected) in table {
            assert_eq!(bar(share, width), expected, "{share} of {width}");
        }
    }

    #[test]
    fn sparklines_keep_peaks_when_they_are_squeezed() {
        assert_eq!(sparkline(&[0, 1, 4, 8], 8, 10), "▁▂▅█");
        assert_eq!(sparkline(&[0, 8, 0, 0, 0, 0], 8, 3), "█▁▁");
        assert_eq!(sparkline(&[], 8, 3), "");
        assert_eq!(sparkline(&[1], 0, 3), "█");
        assert_eq!(sparkline(&[u64::MAX], u64::MAX, 1), "█");
        assert_eq!(sparkline(&[1, 2], 2, 0), "");
    }
}
