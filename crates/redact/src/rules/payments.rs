//! Payments, banking, shipping and money of other kinds.

use crate::check::is_mixed;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, ANY64, HEX, LOWER_ALNUM, URL64, WORD};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("stripe-organization-key", &["sk_org_live_", "sk_org_test_", "ek_live_", "ek_test_"], &[Run(ALNUM, 30, 250)])
        .with(&["sk|_org_live_VmUEVtp70znYaNsJd5gQFoDbtZKAKb", "sk|_org_test_Jy9TaEa3Sfn29IXT2bzmiLtrBQRYqG", "ek|_live_90JMGLY8uTCMMvSRdApEggKU6hcwab"], &["sk|_org_live_cVUU8edDl27NFod", "zsk|_org_live_GFHCLHTbrW6pdc7Z3YI3gFwVbMgivx", "sk|_org_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("braintree-token", &["access_token$production$", "access_token$sandbox$"], &[Run(LOWER_ALNUM, 16, 16), Text("$"), Run(HEX, 32, 32)])
        .with(&["ac|cess_token$production$ccx8pj3wpr9ef3m4$1e151587dd2e4af0d9379519a3d9eb78", "ac|cess_token$sandbox$n20oapm4hox742he$65687ec7552017895bb4991b13434f6e"], &["ac|cess_token$production$tv6bz9aa$91be37199175349c", "zac|cess_token$production$p1ggtfffgp1c0hxf$874c6cf37c24d510500ec91eeedcc356", "ac|cess_token$production$aaaaaaaaaaaaaaaa$aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("paddle-key", &["pdl_live_apikey_", "pdl_sdbx_apikey_"], &[Run(WORD, 40, 80)])
        .with(&["pd|l_live_apikey_u9pYae0EcevDpmcRMpUgwQ3OPbaYxTXHaR9_Y109", "pd|l_sdbx_apikey_znhNVS_CKdimGDQlXkYQBGyVQLnFGCg2M4Oao1aC"], &["pd|l_live_apikey_EIgJXzsKpD1v5HCfBGwe", "zpd|l_live_apikey_Cwfl7_YOdjYeu_qx_FzXiPYbLGGN9HY742ZEw0Aa", "pd|l_live_apikey_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("plaid-token", &["access-sandbox-", "access-development-", "access-production-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["ac|cess-sandbox-6b2928fb-fce7-f5e9-b7d5-ffccd92f263a", "ac|cess-development-accd1a3c-d911-944c-1c62-54b8f4a7df83", "ac|cess-production-58ab5b3b-d600-dc98-8ec8-e17bf555da06"], &["ac|cess-sandbox-ecc0-52-f9-ce-0b6e18", "zac|cess-sandbox-36fa54c7-c405-db0a-f145-f6f845f79ce3", "ac|cess-sandbox-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("square-access-token", &["EAAA"], &[Run(URL64, 60, 60)]).proven(is_mixed)
        .with(&["EA|AAkpvveN-0PyucL04IPMh4ICM4cefhJN8T3xkK-Gg9FOqsExY4TT6fvke8PO-E"], &["EA|AA9wexd5adnEc9FwnnKQkbIStzO6xQey", "zEA|AAqepgbSBoQ8zgeE9csr-f3hlclcbXAhOXBG2ZBMTo2fLbP_gWcuLzf0nQfdIK", "EA|AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("adyen-key", &["AQE"], &[Run(ANY64, 120, 400)]).proven(is_mixed)
        .with(&["AQ|EmKPrLJn3_CkK+7Tp6la5EBiycxgD3N--s4Xn03FrPVbBmS4mUmITiX_y/L0XD93xz7vY0pQWakmzz5mS32d1ELCD4LqBtGiKnIYf+Im7MPDwV+Po0VtM_FQm"], &["AQ|EfHqq+otZ9MG2hGxSO6zOPB4GezH_mvVA9FeVf-K2QBN7ElXQAoXjJaY74sie", "zAQ|ErOcA0KMGeoEqHKA6ftbFKqpdd+6amR8qQ1G9BdGzrbDJJDD_yfgFWBwbsoxNSiABjtP-yskahB3PvBtG5EhzDqfYGkv+7Ci-GxTGU_VTsw6OZsbhE70aqH1O", "AQ|Eaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("live-payment-key", &["live_"], &[Run(URL64, 30, 44)]).proven(is_mixed)
        .with(&["li|ve_57vddjengT4fetTjsoZG9g-CV4-5Zm"], &["li|ve_aBDjty8kazeQRWz", "zli|ve_c1EBBCXUiOOSHnUw3u73niYHm5WNqR", "li|ve_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("xendit-key", &["xnd_production_", "xnd_development_"], &[Run(ALNUM, 40, 80)])
        .with(&["xn|d_production_pUISTfvdHekF3iOEgRrPIUA1VUErMutI3dCVI9Ow", "xn|d_development_cHhpYZUqrSmfUcADXbZtYiQitnB9COEGnG5SKbJV"], &["xn|d_production_Btw9v17klfNUqXqR0UrH", "zxn|d_production_kZsm35fCD8q4FrfzzVCgn8G6L0T4hUg9Bmv08FKf", "xn|d_production_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("midtrans-key", &["Mid-server-"], &[Run(URL64, 20, 40)]).proven(is_mixed)
        .with(&["Mi|d-server-fS9wLTPdcKwgKKwNsA2b"], &["Mi|d-server-ndHsOqwowQ", "zMi|d-server-C19kDNS15UvmexyeGnHx", "Mi|d-server-aaaaaaaaaaaaaaaaaaaa"]),
    token("pagarme-key", &["ak_live_", "ak_test_"], &[Run(ALNUM, 30, 30)])
        .with(&["ak|_live_BhY8dvTLvwbDOx6WGWhdN3ojA3VA0A", "ak|_test_GycMjnzoFJCwy160oWgNhZ0urCzdju"], &["ak|_live_OPPwtZWCqD2q2Do", "zak|_live_7T9HDUNSmcmHC31UNZRjhvBeUysNw2", "ak|_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("klaviyo-key", &["pk_"], &[Run(HEX, 34, 34)])
        .with(&["pk|_ecd6c89221d7ba6f0b5c9bd30b7a534357"], &["pk|_f595770fdf604ed41", "zpk|_519f50556ae28fdc6ba6aa12f3f0e08fb0", "pk|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("extended-private-key", &["xprv", "tprv", "yprv", "zprv"], &[Run(ALNUM, 100, 112)])
        .with(&["xp|rvqYtKJuLoZlffYMd2Ijb7nHlG5R9gtr7KXlN1brGqZwffc4KBEI2c5rrXBFjMX1mM2yFZHDQVAk32ntKDjGBsLDHlKg8a9wyGmZKE", "tp|rvqBXXOJZfg7JW5xWNKozXl3cyuNBR39iLTowXl3OmPhpEzasax1mG2CeiUlZU1qyW4871whqP74s9z0y7U5REQv1PL3957PDXkq3v", "yp|rvAdTs37TOLVgfhGj0edIYMv5n1Zl4lugYa93eWHZxud3Jk8fKOVuXWAsHccmyXmCEGaVr7MAW18CmJODD6l4zATAmJAeCxFS6bjwL"], &["xp|rvHgu1c8XdMsdeqxygbY50OeKOm5oDY7kRuQ98bam71RnhnHBz9U", "zxp|rvOJCDP6HC6p1s4kR6SZp21UTWbWzNvB7FcVcsNVa23ED6N4ICO43hmaK2WN8FgIZms4SuvmZPqNHMOciyGOjMdSNP9DobJiQZ635e", "xp|rvaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("nostr-key", &["nsec1"], &[Run(LOWER_ALNUM, 58, 58)])
        .with(&["ns|ec1lebcpdnbo6yaixa84nk2g0wuwqsygf1hzp425m5eomm0r31h9chy5bvnjc"], &["ns|ec1orq35hhq76iriaz0l43c8mhddybxo", "zns|ec134x7lbfytyt1ap47jhrk9aloclaetlelpvqaii46l0qwsupz5whqu2hkrp", "ns|ec1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
