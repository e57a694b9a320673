//! Splits whole numbers without loss, by the largest remainder method.

/// Splits `amount` in proportion to `weights`; the shares add up to it. The rest goes
/// to the largest remainders, the first of equal ones.
pub fn split_proportionally(amount: i128, weights: &[u64]) -> Vec<i128> {
    let whole: i128 = weights.iter().map(|weight| i128::from(*weight)).sum();
    if whole == 0 {
        let mut shares = vec![0; weights.len()];
        if let Some(first) = shares.first_mut() {
            *first = amount;
        }
        return shares;
    }
    let sign = amount.signum();
    let amount = amount.abs();
    // (amount / whole) * weight, without a product that could overflow.
    let (each, rest) = (amount / whole, amount % whole);
    let mut shares: Vec<i128> = Vec::with_capacity(weights.len());
    let mut remainders: Vec<(i128, usize)> = Vec::with_capacity(weights.len());
    for (place, weight) in weights.iter().enumerate() {
        let weight = i128::from(*weight);
        let part = rest.saturating_mul(weight);
        shares.push(each.saturating_mul(weight).saturating_add(part / whole));
        remainders.push((part % whole, place));
    }
    let remaining = amount - shares.iter().sum::<i128>();
    remainders.sort_by_key(|(remainder, place)| (std::cmp::Reverse(*remainder), *place));
    for (_, place) in remainders.iter().take(usize::try_from(remaining).unwrap_or(0)) {
        shares[*place] += 1;
    }
    shares.into_iter().map(|share| share * sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_rest_goes_to_the_largest_remainders() {
        let table: [(i128, &[u64], &[i128]); 6] = [
            (10, &[1, 1, 1], &[4, 3, 3]),
            (10, &[1, 2], &[3, 7]),
            (1, &[1, 1], &[1, 0]),
            (-7, &[1, 1], &[-4, -3]),
            (5, &[], &[]),
            (5, &[0, 0], &[5, 0]),
        ];
        for (amount, weights, expected) in table {
            assert_eq!(split_proportionally(amount, weights), expected, "{amount} {weights:?}");
        }
    }

    proptest! {
        #[test]
        fn shares_add_up_to_the_amount(amount in -1_000_000_000_000_i128..1_000_000_000_000_000_000, weights in prop::collection::vec(0_u64..1000, 1..9)) {
            prop_assert_eq!(split_proportionally(amount, &weights).iter().sum::<i128>(), amount);
        }
    }
}
