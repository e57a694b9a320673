//! A receipt as an answer.

use document::{LakeExpiryDocument, LakeLoaderDocument, LakeReceiptDocument};
use lake::{Acknowledgements, Level, Receipt, Sharing};

/// What was taken back, and whether it is gone.
pub(super) fn describe(receipt: &Receipt) -> LakeReceiptDocument {
    let decisions = &receipt.decisions;
    let forgotten = decisions.iter().filter(|(_, it)| it.sharing == Sharing::Forgotten).count();
    LakeReceiptDocument {
        forgotten: forgotten as u64,
        forgotten_projects: decisions.forgotten_projects().map(str::to_owned).collect(),
        expired: decisions
            .expired()
            .map(|(level, before)| {
                let before = before.to_string();
                let (year, month) = before.split_at(4);
                let level = match level {
                    Level::Usage => "usage",
                    Level::Metadata => "metadata",
                    Level::Text => "text",
                };
                LakeExpiryDocument { level: level.into(), before: format!("{year}-{month}") }
            })
            .collect(),
        has_left: decisions.has_left(),
        is_gone_everywhere: receipt.is_gone_everywhere(),
        missing: receipt.outstanding.iter().map(ToString::to_string).collect(),
    }
}

/// How far the engine of each loader is.
pub(super) fn loaders(
    receipt: &Receipt,
    acknowledgements: &Acknowledgements,
) -> Vec<LakeLoaderDocument> {
    let describe = |loader| {
        let lag = receipt.chains.iter().map(|chain| {
            let has: u32 = acknowledgements.of(loader, &chain.name).into();
            u64::from(u32::from(chain.head.number).saturating_sub(has))
        });
        let lag: Vec<u64> = lag.collect();
        LakeLoaderDocument {
            name: loader.to_string(),
            current: lag.iter().filter(|behind| **behind == 0).count() as u64,
            chains: lag.len() as u64,
            behind: lag.iter().sum(),
            readable_until: acknowledgements.readable_until(loader).map(|time| time.to_string()),
        }
    };
    acknowledgements.loaders().map(describe).collect()
}
