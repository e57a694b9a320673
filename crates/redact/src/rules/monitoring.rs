//! Monitoring, logs, feature flags and the delivery of software.

use crate::check::is_mixed;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, HEX, LOWER_ALNUM, PADDED64, UPPER_ALNUM, URL64};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token(
        "honeycomb-key",
        &["hcaik_", "hcbik_", "hcxik_", "hcaic_", "hcxlk_", "hcamk_"],
        &[Run(ALNUM, 40, 70)],
    )
    .with(
        &[
            "hc|aik_mteHUIOqwDvpfwMPSMg9QhdWJlzU1eNrSBeyN60d",
            "hc|bik_hCl1FhCpCkwLFUFik2z40S1upzdzsH1jvWD3A5aM",
            "hc|xik_VEkMDBDEhYfT3y4M8qYttMvfc1t8CKLdq9sCtRGU",
        ],
        &[
            "hc|aik_Qh6DrYVZ1svHauxlqeiz",
            "zhc|aik_398zLEFngvVYTKmTTFkCk9vdxE6eXcWLtGvq0TqA",
            "hc|aik_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token(
        "axiom-token",
        &["xaat-", "xapt-"],
        &[
            Run(HEX, 8, 8),
            Text("-"),
            Run(HEX, 4, 4),
            Text("-"),
            Run(HEX, 4, 4),
            Text("-"),
            Run(HEX, 4, 4),
            Text("-"),
            Run(HEX, 12, 12),
        ],
    )
    .with(
        &[
            "xa|at-1f22f5a1-069e-4ce7-3aa1-245563a1d3f5",
            "xa|pt-460d1208-6411-fa94-aece-d1e9ebbcdbc8",
        ],
        &[
            "xa|at-3596-27-32-4e-dcf6bf",
            "zxa|at-4d0a6f04-8e92-85fc-3c80-711b06bce151",
            "xa|at-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
        ],
    ),
    token("grafana-legacy-key", &["eyJrIjoi"], &[Run(PADDED64, 60, 400)]).proven(is_mixed).with(
        &["ey|JrIjoiwuQLZByL9UlwlXKFIFIvfuS/1sgNTycMzdrFHMGULpu4XEeywcsNIuqkbz70"],
        &[
            "ey|JrIjoiXEUQC2dh626kKiofyYhjI2RxzkanYY",
            "zey|JrIjoieoJePxSGb5jGayLb4i3Up5NOpzX1SGkK+ZFNpGY4vpG1WUaA6uBmnsCkZNbT",
            "ey|JrIjoiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("checkly-key", &["cu_"], &[Run(HEX, 32, 32)]).with(
        &["cu|_788c560e16bdd58b99ea260c6353ba33"],
        &[
            "cu|_ca0774637d9ee5ee",
            "zcu|_8bfb6be2699ac0ebe265a03303ba6345",
            "cu|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("honeybadger-token", &["hbp_"], &[Run(ALNUM, 36, 36)]).with(
        &["hb|p_Mo4nAWg1b7l3ivlm2EvPw2Xgv7I9fSbuMsWl"],
        &[
            "hb|p_HeBpYzWpbauuybuwo1",
            "zhb|p_eAniI9sTYPCipnKdQR20w0iP9hiphZLRTgSR",
            "hb|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("statsig-key", &["secret-"], &[Run(ALNUM, 43, 43)]).proven(is_mixed).with(
        &["se|cret-d55vFHJJFBSVOvdpbQGA2wbXnKJvxsJKsqSjxFkN2EK"],
        &[
            "se|cret-6ENYzFJs092YJIcN0sNvw",
            "zse|cret-68gf5cY0BMQrqUvALCRYweKLa5TKp1CBamQx7EQ03pg",
            "se|cret-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token(
        "harness-token",
        &["pat.", "sat."],
        &[Run(URL64, 22, 22), Text("."), Run(ALNUM, 24, 24), Text("."), Run(ALNUM, 20, 20)],
    )
    .with(
        &[
            "pa|t.Xg02zWGiYTHRQw7EIDVMyB.K55xmRtfQFhZYG0LMyy0dI8W.YKNqtlXIN6FuftnaOq9e",
            "sa|t.8uPw6GrOTHMKQq-WeJsuSA.1OnvJDjTVY37S44j94uAr4zm.PRAJjpQUkHVWzNu10KbB",
        ],
        &[
            "pa|t.ddvXQM915jt.nvLWv1f3jfkI.UQwZc60jmG",
            "zpa|t.lS0me1QmEDaJrHC_IyJaUZ.rEhFeoSoD9OrIzqjvRmqR2uV.ng5dbQocAgAp878fc5lt",
            "pa|t.aaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("octopus-key", &["API-"], &[Run(UPPER_ALNUM, 26, 26)])
        .proven(has_digits_and_letters)
        .with(
            &["AP|I-W3F8OO81VL6ZWTIEAQ7W8YB41K"],
            &[
                "AP|I-FMBF5IT919ITG",
                "zAP|I-ZZAKRTG0L0QJIGD45TI7JQL7S7",
                "AP|I-aaaaaaaaaaaaaaaaaaaaaaaaaa",
            ],
        ),
    token(
        "packagist-token",
        &["packagist_uut_", "packagist_ort_", "packagist_oft_", "packagist_out_"],
        &[Run(HEX, 68, 68)],
    )
    .with(
        &[
            "pa|ckagist_uut_add94aea0f3e0e3d631b51737a7a133542e5711ea4e6af5208f2a61524f3ef133474",
            "pa|ckagist_ort_7f80954f8736b30e6c02e4789f7887891ecad58d4327bb256fe9aa84d43abc1191e2",
            "pa|ckagist_oft_68bfdfd52b6a09d038c1b94c9b952e74234a4057fbb46091eff8e963a72008f2f140",
        ],
        &[
            "pa|ckagist_uut_26b2cf9ef04edac72093134999535a00a3",
            "zpa|ckagist_uut_d47e9f99f7f5599dfe2a2226dc79211136817fecea6fd67170b9d4cab0fcbe7b0178",
            "pa|ckagist_uut_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("frameio-token", &["fio-u-"], &[Run(URL64, 64, 64)]).with(
        &["fi|o-u-TCzlZDbFRSmUzAjg8mwy1w6rGEg_q7BpO9x315xprYHf-DPQ-ivtvQnlfi2khf0u"],
        &[
            "fi|o-u-OVVCGmv2ORxdm4kOsGS6tQkrvS6ByXLy",
            "zfi|o-u-vmBszeR9tGyvz9n5meCY93d7LnTgtfND-KHyvGHcVn0Uhr6Jic8rTL9-nWs5G0_4",
            "fi|o-u-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("openshift-token", &["sha256~"], &[Run(URL64, 43, 43)]).proven(is_mixed).with(
        &["sh|a256~uGlhKzeysGDYEeXjbjaE6vjrnqZ75txp-bkBr6FA2Oa"],
        &[
            "sh|a256~QvsjDdo6Sxl6UU6raULCl",
            "zsh|a256~eLMMw95JUVOgMAdQqG4bOMmhWtkPWBxSJ735hMAOtyG",
            "sh|a256~aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("scalingo-token", &["tk-us-"], &[Run(URL64, 48, 48)]).proven(is_mixed).with(
        &["tk|-us-PJpkexjtCedAPEQFYSchqZZVsw55GjDc1NrfcNpYXNs_Iz7V"],
        &[
            "tk|-us-sZ0vqz1jzCO-x5evwxsSoP54",
            "ztk|-us-cMeO5JKvc9d7mstQ0F2kIpXQ_zak3iCm-7xISn6M7iZ03y3C",
            "tk|-us-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("portainer-token", &["ptr_"], &[Run(PADDED64, 43, 44)]).proven(is_mixed).with(
        &["pt|r_cD2rofy8NnPdrG621b/7skb24O+FW4I8TYCA5X+d+fm"],
        &[
            "pt|r_43xYSQru9jOjmQnZLQAAl",
            "zpt|r_A6l0dzmHn5LLQQCCtFck60DdjCCccg0PreuYUtz5DRk",
            "pt|r_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token(
        "rancher-token",
        &["token-"],
        &[Run(LOWER_ALNUM, 5, 5), Text(":"), Run(LOWER_ALNUM, 54, 54)],
    )
    .with(
        &["to|ken-z6euc:w948en3n2ktogtdd8cll5t8da7kavuzgd0df80koskbmykg2bcivbb"],
        &[
            "to|ken-xg:kxusrplhoihsso4gjtepy3rmmxd",
            "zto|ken-g6m2n:dodvyvzocr9y63zx0s1ycy4z1vccxnnj7y3ztvyrys8czty1n22kjm",
            "to|ken-aaaaa:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("nightfall-key", &["NF-"], &[Run(ALNUM, 32, 32)]).proven(is_mixed).with(
        &["NF|-HaRjZVsAVGv9i6RSeWe9epc10kpuOD9J"],
        &[
            "NF|-FAhREPFPgU4jCEiF",
            "zNF|-GedEBl3D34jTgis6LAMaoTkyUEIjj3HB",
            "NF|-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("endor-labs-key", &["endr+"], &[Run(ALNUM, 16, 16)]).proven(is_mixed).with(
        &["en|dr+YJRGaHbTXCqeNv3O"],
        &["en|dr+mqwJOklI", "zen|dr+6bR64GJmbKVC2bqj", "en|dr+aaaaaaaaaaaaaaaa"],
    ),
    token("sumologic-key-id", &["su0"], &[Run(ALNUM, 13, 13)])
        .proven(is_mixed)
        .with(&["su|0K0BKMW8UUs5uV"], &["su|0DP4HOB", "zsu|0rv3gjsFD4cmwm", "su|0aaaaaaaaaaaaa"]),
];
