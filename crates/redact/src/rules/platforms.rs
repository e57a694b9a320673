//! Platforms, shops, monitoring and developer services, beyond the other tables.

use crate::check::is_mixed;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{
    ALNUM, ANY64, BASE64, DOTTED, HEX, LOWER_ALNUM, PADDED64, UPPER_ALNUM, URL64, WORD,
};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("sourcegraph-cody-token", &["slk_"], &[Run(HEX, 64, 64)])
        .with(&["sl|k_483a50dd234afed66aaad2fc267163268998530877710984ae48d55c34db7316"], &["sl|k_d552390ace153ea0232a829106705049", "zsl|k_4d83c36767394c42ef0569c396b943081cb9ce32f602a058930166c2b9e14ccc", "sl|k_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("wakatime-key", &["waka_", "waka_sec_", "waka_tok_"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["wa|ka_80e2fa76-9eac-61b4-2b03-f74904bb407d", "wa|ka_sec_e7cc992f-8b4e-7f4b-a438-16bc69f54480", "wa|ka_tok_25a87a24-8834-92f1-1ffc-349d5eef4566"], &["wa|ka_936e-ce-29-36-6969df", "zwa|ka_3b75b940-ac49-4251-38d2-6eed1553f957", "wa|ka_aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("fly-organization-token", &["fo1_"], &[Run(URL64, 40, 60)]).proven(is_mixed)
        .with(&["fo|1_zHzE76ZiYbSRLoFYkAW3S5W1I1vGnMGxJYPewvtx"], &["fo|1_h4htN03alnsBAEe4kSQr", "zfo|1_20cmDOYxyZpT5ImssTvisgnqXIL6SC9de7l2sMBg", "fo|1_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("langchain-key", &["ls__"], &[Run(LOWER_ALNUM, 32, 32)])
        .with(&["ls|__cbei073erwohly8k305wwxub9dzm89i6"], &["ls|__azjtd57919wmjn1g", "zls|__1s0kiutj31251wjqhth5r41p1g0x40k6", "ls|__aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("onfido-token", &["api_live.", "api_sandbox.", "api_live_us.", "api_live_ca."], &[Run(URL64, 11, 11), Text("."), Run(URL64, 32, 32)])
        .with(&["ap|i_live.VR6LX1k0h7w.arge2udESFMNZ4jXq7j4FrqGbSrTV2v2", "ap|i_sandbox.ptpwpmfT5Bv.AbXdDZdocyaFCFI28xMzbrlkvcTwkKSV", "ap|i_live_us.0wJc7NlCsIn.t9cbjqsakXB3totEGBX2nW0em6C6UTyX", "ap|i_live_ca.HEv3RzFIpnL.JFMVRg4wvDDuDzkVTrfK9TgYzP41m9UD"], &["ap|i_live.ablW3.UjG06WT2E7go18xv", "zap|i_live.4xEOX1ZLDGf.kZHzKDjEuQ3GzfYdl0XFiSLQKlN55dPU", "ap|i_live.aaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("ramp-secret", &["ramp_sec_"], &[Run(ALNUM, 40, 60)])
        .with(&["ra|mp_sec_BH84zi928lE7by1D5LF2VEw8jryP6TGpruZDr3KP"], &["ra|mp_sec_4RSRQZ7xeqlEarielWtc", "zra|mp_sec_jFK6uuuYs1wC0utWr2LwAtoqtgQL3E9GJUgdoI6K", "ra|mp_sec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("persona-key", &["persona_production_", "persona_sandbox_"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["pe|rsona_production_27e7906c-362e-cfd6-424c-f1e72ca22b46", "pe|rsona_sandbox_11740348-fd85-e541-63be-fa1aac30e52e"], &["pe|rsona_production_46ad-65-b1-49-b827cf", "zpe|rsona_production_100fb7c2-fa6e-3c23-5dc4-9499b5dba867", "pe|rsona_production_aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("trigger-key", &["tr_dev_", "tr_prod_", "tr_stg_", "tr_preview_", "tr_pat_"], &[Run(ALNUM, 20, 48)]).proven(is_mixed)
        .with(&["tr|_dev_L70sIV8LUwDarkZNlaJE", "tr|_prod_aLIwpSfbe59Gt6IDVr5i", "tr|_stg_kqhzzyHU8O5x22pdJH92", "tr|_preview_XALewh2erGhzx1GRhV2e", "tr|_pat_k38f2Zzv8khoAjwhvrz1"], &["tr|_dev_OHe7E3ywA3", "ztr|_dev_6zHI9W7JcdYQ7E64Atl2", "tr|_dev_aaaaaaaaaaaaaaaaaaaa"]),
    token("polar-token", &["polar_oat_", "polar_pat_", "polar_rst_", "polar_whs_"], &[Run(ALNUM, 32, 64)]).proven(is_mixed)
        .with(&["po|lar_oat_QjirO1i3PMPlyBb8mh1tpGyzK0JVhSnr", "po|lar_pat_rGZdmJdF7kr7AH5xExHjxTfJhJF5H2I5", "po|lar_rst_JaAbTxHtqR45sgNoUE48yUhIMll4iGPw", "po|lar_whs_DSRjlmKgJO0MbUAlNWu1TSYUdbSSVKpM"], &["po|lar_oat_lpJa36pfbL05UWey", "zpo|lar_oat_iMv8YSB9rv8b71VeGIGeI98DcVegKvgf", "po|lar_oat_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("elastic-cloud-key", &["essu_"], &[Run(PADDED64, 40, 120)]).proven(is_mixed)
        .with(&["es|su_ZAd5rVRQhppFR0Zj+2HsOakhZM3pn5SB6SGJKCfo"], &["es|su_n2cubi0DsqkL52VL9s1y", "zes|su_ZFeTsUQ15wJTPX5kyXJDsjLEosT6JhiMIOGwQYTr", "es|su_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("astra-token", &["AstraCS:"], &[Run(ALNUM, 24, 24), Text(":"), Run(HEX, 64, 64)])
        .with(&["As|traCS:YpNo3uvyL45VPdcKBeWmNRJH:dec611d18153740e304b5618e80c3e4db53bb9be9f7dfd922052bdb136c5d384"], &["As|traCS:GM7hFgJgdspy:66cffdd15e31676c7557c2690739f4a5", "zAs|traCS:qR82bl1LpjollceVNuBVg4Rj:b032839669107579d7dad45932b123cc920f8c45547ee9cc1f3c231777ca1c07", "As|traCS:aaaaaaaaaaaaaaaaaaaaaaaa:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("ory-token", &["ory_at_", "ory_rt_", "ory_pat_", "ory_st_", "ory_wak_"], &[Run(DOTTED, 32, 120)]).proven(is_mixed)
        .with(&["or|y_at_cULDuusJj0MFBIEg2SMjVrRXtMCvaPHe", "or|y_rt_cON6oIxqlWAiHBR94uxYadvchbwFiwn8", "or|y_pat_ZHMzeseNN1caiAiPSl85as9fzoIRmkZP", "or|y_st_KaXKh6dy3AMwNdwimKEDsexQemCdZCJ1", "or|y_wak_WFqO652PyOygGZ8JRyq7SspkjAOVmTEG"], &["or|y_at_l7GmxnjuzfmBHzuT", "zor|y_at_0tZotYCqmIm9v6y28l0NI1cmUoDGgAhU", "or|y_at_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mongodb-atlas-secret", &["mdb_sa_sk_"], &[Run(URL64, 30, 64)]).proven(is_mixed)
        .with(&["md|b_sa_sk_wSBN1E1Wck1G3F1H2J785nb9UWEYRU"], &["md|b_sa_sk_t7UYe4a3EDDtjDu", "zmd|b_sa_sk_zqwrn2cZO6VGZCOUR6MOyBekg0Xwhn", "md|b_sa_sk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("tinybird-token", &["p.eyJ1IjogI", "p.eyJ1Ijoi"], &[Run(DOTTED, 40, 300)]).proven(is_mixed)
        .with(&["p.|eyJ1IjogIwdQsyKMxgrHdFzOoKQEii3kgdZMA3K6Wkpd1sLbr", "p.|eyJ1Ijoi7cT1volKwVtHTNaqZjqKRIWHqTcDdukxI77prlBh"], &["p.|eyJ1IjogIqUSWTG8c1XKf0fn74dJN", "zp.|eyJ1IjogIQLJoC7oVa9FfBoljQwTQzI4zJfCiqa1EoAmsAV5X", "p.|eyJ1IjogIaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("xata-key", &["xau_"], &[Run(ALNUM, 24, 48)]).proven(is_mixed)
        .with(&["xa|u_JV55Kp0pd599cDaSjOUFVVSh"], &["xa|u_Bt7grl0ToQXh", "zxa|u_FTWVV7esZBtm99VDjcSl3HVE", "xa|u_aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("liveblocks-key", &["sk_prod_", "sk_dev_"], &[Run(URL64, 40, 80)]).proven(is_mixed)
        .with(&["sk|_prod_Eg6Mh7rabVK6y1fAr8m0Riy9qZ9bJ11cB4uJ9H16", "sk|_dev_gha4HunzFAnRj1sgOSE940YBylwtZRx8DmYHMjdX"], &["sk|_prod_73j5NsW8MbJIAGfEDj9e", "zsk|_prod_rdVzr9yRiiXK2uj4YcPvsMoHetoLpftAC8W38HzI", "sk|_prod_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("inngest-key", &["signkey-prod-", "signkey-test-", "signkey-branch-"], &[Run(HEX, 32, 64)])
        .with(&["si|gnkey-prod-75f99d62bc014495e6a33d3cee2d6ea3", "si|gnkey-test-d16d4c8c1982bf83d95df15cf0200d2a", "si|gnkey-branch-47c0b3eedf879d780bad5e2f073a0902"], &["si|gnkey-prod-5a5c0653550e4d4a", "zsi|gnkey-prod-1c0d7b845ae21304adfa3ef8af278095", "si|gnkey-prod-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("plain-key", &["plainApiKey_"], &[Run(URL64, 24, 100)]).proven(is_mixed)
        .with(&["pl|ainApiKey_Tp0H5LGjWwI0luVCAJ7oKztq"], &["pl|ainApiKey_Yt3MAns5IEhh", "zpl|ainApiKey_C2yK2Tw33GGSq9rfn1fj1WcK", "pl|ainApiKey_aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("unkey-key", &["unkey_"], &[Run(ALNUM, 20, 40)]).proven(is_mixed)
        .with(&["un|key_7rpRhyERHDev9CcguSs3"], &["un|key_dbZnMozxnZ", "zun|key_Il2Ki9M86D1M3k77qQJX", "un|key_aaaaaaaaaaaaaaaaaaaa"]),
    token("dub-key", &["dub_"], &[Run(ALNUM, 24, 24)]).proven(is_mixed)
        .with(&["du|b_UTtgxVEb3qgeEJ31HoBNj3vf"], &["du|b_HCwhCbGo4xbx", "zdu|b_UBqbEffqHMKEaoGSwyfHJWj0", "du|b_aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("cal-key", &["cal_live_"], &[Run(HEX, 32, 32)])
        .with(&["ca|l_live_319975663d76c354c52c9c69b5fe88f4"], &["ca|l_live_c6c4751373d08639", "zca|l_live_0733fb530eb636ad6dc497fcbae9ffa4", "ca|l_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("nylas-key", &["nyk_v0_"], &[Run(ALNUM, 40, 80)]).proven(is_mixed)
        .with(&["ny|k_v0_pWg1gkpG9Hh04g2bZ3OmczTKcGlALsucQpzZkqQK"], &["ny|k_v0_WvGQeYuTJ99S08G7O93t", "zny|k_v0_droGubc7WMk3r0ei11bKBqkXafAXUVLmmKBu7eqH", "ny|k_v0_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("together-key", &["tgp_v1_"], &[Run(URL64, 40, 50)]).proven(is_mixed)
        .with(&["tg|p_v1_sjmqaLVSayJv0tA8H5Tr1jC93f1GV84Vf6M2Xo3N"], &["tg|p_v1_H4WUCetkgZd4dEtST2rZ", "ztg|p_v1_j5zAXOCAn10YtbtsNcLOk3C71icKdRZBpjmfUuqR", "tg|p_v1_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("luma-key", &["luma-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12), Text("-"), Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["lu|ma-42d98828-ba05-040d-48ea-0f702f13a076-f8c4ce0a-eb21-5eee-2566-1e78030b89ed"], &["lu|ma-a956-05-cf-04-4d602b-5b48-13-a0-3e-7440c1", "zlu|ma-fea7e838-a438-21f4-a181-10ec921a69f4-fad19c83-4fcd-d9f2-9ffc-79b930cd79d7", "lu|ma-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("runway-key", &["key_"], &[Run(HEX, 128, 128)])
        .with(&["ke|y_949b5a381a32f1de36c17c0a1857474a1c0f107a4ce7c3d3a9e2446a7c9a70eeda77a1baa771ead36362b1a44c0cf11ece81788ca00219d2ccfcc98ee4212c75"], &["ke|y_96c5b632cba3236dd304ed0601e597c51f7ae5edc07ff6d510110c328d2e6678", "zke|y_6361020b424f06908502a3896a52378870c2fcc7e973cd5dde43eb83e2c944568a86b6460d980a7fc71111a2eae3afc3b4f31cce1ef254e9e6bdfd7409fd6d84", "ke|y_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("telnyx-key", &["KEY0"], &[Run(UPPER_ALNUM, 30, 30), Text("_"), Run(ALNUM, 20, 24)])
        .with(&["KE|Y0K6UPNMHNUW3HGKCBU5340X1KUEFBUO_CixMaNKlPraRXkasRFhq"], &["KE|Y0QVO88NUZ3ISPJ5J_VzSMIYng03", "zKE|Y01GUWQNNFH8M5PVBBGA8H744H4YPHVC_bQN3MwagwhmLuPKTLRCE", "KE|Y0AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA_aaaaaaaaaaaaaaaaaaaa"]),
    token("imagekit-key", &["private_"], &[Run(PADDED64, 27, 29)]).proven(is_mixed)
        .with(&["pr|ivate_d59jptboROT6ep5z8ngOkV0RHyW"], &["pr|ivate_M4CSzJbsLpmDd", "zpr|ivate_fn5kPDTm1o8ucLKoYY3kYD74RxQ", "pr|ivate_aaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("backblaze-key", &["K001", "K002", "K003", "K004", "K005"], &[Run(BASE64, 27, 27)]).proven(is_mixed)
        .with(&["K0|01d3ubpuaMDZ6eviTR4KqTgkstl5Z", "K0|02N3tTp7zZq4FhhEbHh5fg2sWbskf", "K0|03tyE1Ow+J1kn4rdGZOgmaNlR6B0p", "K0|04m2WM6SeQzMu67DpM0zSDjlfmO6d", "K0|05caIb+MavWVt24ydID7OtIPOFAvb"], &["K0|01YA8w+7Ga4d374", "zK0|01QNkqDc6xfRDL4tqLOCUzScPE4yD", "K0|01aaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("exoscale-key", &["EXO"], &[Run(HEX, 24, 32)])
        .with(&["EX|O7b790bc29ec65f067ef61a3c"], &["EX|O03e902167eba", "zEX|O3e878f00ce9f5aee61ed0560", "EX|Oaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("upcloud-token", &["ucat_"], &[Run(UPPER_ALNUM, 20, 40)]).proven(has_digits_and_letters)
        .with(&["uc|at_NSZAUK4PY107VGGPN5HZ"], &["uc|at_6D8O5F9TLT", "zuc|at_ZS0VHP0UKKHAYVPGACSG", "uc|at_AAAAAAAAAAAAAAAAAAAA"]),
    token("cockroach-key", &["CCDB1_"], &[Run(ALNUM, 22, 22), Text("_"), Run(ALNUM, 40, 40)])
        .with(&["CC|DB1_cAjqpBYY07I2BV5iU44dOz_j3W5HaaUpHHa1f31FY01BIXASVyREkrOzrOZ7yL4"], &["CC|DB1_mKH9VIFfS1p_WtsEGWjY4hzj4hez7l6k", "zCC|DB1_XLB7Q3qTYbjPvlwCFiNx3j_3Rp0cm4EzZx6W3JWvsLFWUeBjyydUOGuaRWpVpyZ", "CC|DB1_aaaaaaaaaaaaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("snowflake-session", &["ETMsDgAAA"], &[Run(PADDED64, 60, 300)]).proven(is_mixed)
        .with(&["ET|MsDgAAADbs5ZHp4ADwJBerW4ZNfZW6353i8xlAO7i+jZi4RvNLYtliM9LhjkksqqD5i"], &["ET|MsDgAAAsi0le1cFwJL77zvJm0z1Ac4UVzaC7w", "zET|MsDgAAA8KiXuA+zcftY+UUTNR0QbBrDIJRPv+YUBMPYguPSf6LT1nFo6kVAWxMl+CN5", "ET|MsDgAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("dbt-token", &["dbtc_", "dbtu_"], &[Run(URL64, 30, 80)]).proven(is_mixed)
        .with(&["db|tc_8ySXpyiF7GNl5JuLDxX4IkN3rRMDMz", "db|tu_udC4oEmGZb9gvCPdJy8ieMPtek1Vvb"], &["db|tc_TyQOb2YQABNJinr", "zdb|tc_PXHS8GCYDRjO1tncyczRwMCOGl5gPK", "db|tc_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pubnub-secret", &["sec-c-"], &[Run(PADDED64, 40, 60)]).proven(is_mixed)
        .with(&["se|c-c-JG3QkGWC7ETskLgSGCkJmYckjwqF0uHVD48dzsrL"], &["se|c-c-hqdbMAEUDBjBhMTFpLqD", "zse|c-c-0YkBrAxuQabUXRVDVPL0om41ao1Q1sIWryxKUT7M", "se|c-c-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("shopify-other-token", &["shpua_", "shptka_", "shprka_"], &[Run(HEX, 32, 32)])
        .with(&["sh|pua_83ff7ead89a53d229e4c5a67b2085a27", "sh|ptka_17b6064b78be0370fa31d7a2e385a8a7", "sh|prka_46a7380e9807025730ae6006ba0ca985"], &["sh|pua_72223bced4f03cce", "zsh|pua_30a3911caa5f98ebc592fd6940294166", "sh|pua_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("woocommerce-key", &["ck_", "cs_"], &[Run(HEX, 40, 40)])
        .with(&["ck|_67ad3ea54157c321cafa354d86d16c9949af89a7", "cs|_b5de734f2edf738a53cd5f00ee3d2b475a291540"], &["ck|_2f30ca38bd982a109723", "zck|_8b05189e7e6199a4afd7fe50a2780b5ce70103da", "ck|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("ebay-key", &["PRD-", "SBX-"], &[Run(HEX, 12, 12), Text("-"), Run(HEX, 4, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4)])
        .with(&["PR|D-0233e68b59e2-c57b-2f96-a579-9838", "SB|X-01db2c308935-8ed7-fc1b-b294-c906"], &["PR|D-2ce353-01-4f-8e-e0", "zPR|D-672eef75d99b-d244-c06f-688f-f10b", "PR|D-aaaaaaaaaaaa-aaaa-aaaa-aaaa-aaaa"]),
    token("amazon-login-token", &["Atza|", "Atzr|"], &[Run(PADDED64, 60, 600)]).proven(is_mixed)
        .with(&["At|za¦PDj+i46OhYZN9X5E0ULzOJ+85X5sAquqPgbVmnBGKUu5tUVwPeqOl59xgUoQ", "At|zr¦nJR6AVq4eJm6gppHJRMn95JPdcbdKA8c+jLuHWPKMaCDjYa+RFqfizjtIzFA"], &["At|za¦10hhZWuEIvPGNWf1xLaSsOkCDLMEqB", "zAt|za¦wRysl6WgcT8TeQEAwu+24X+qGxZ2YL8rgF3LgDSyWIlEZcLYLqyzfCB2NXJg", "At|za¦aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("amazon-login-secret", &["amzn1.oa2-cs.v1."], &[Run(HEX, 64, 64)])
        .with(&["am|zn1.oa2-cs.v1.f3f7b86fd43dd89eada9112f14a9aba0ddd7985cdd01dab5821faa9304c4cb21"], &["am|zn1.oa2-cs.v1.9be6d99c9d57dc2d5b225373966ce9c1", "zam|zn1.oa2-cs.v1.593ccf48386b3071234ed454204f27dce13175d1e95a71e0c0baea73e8beae09", "am|zn1.oa2-cs.v1.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("checkout-key", &["sk_sbox_"], &[Run(LOWER_ALNUM, 26, 32)]).proven(has_digits_and_letters)
        .with(&["sk|_sbox_kuh826hw30mcw01cjjq509feql"], &["sk|_sbox_79j4dh5fvyntx", "zsk|_sbox_endzl9jx1y2awtwygkk4uhfw37", "sk|_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mollie-test-key", &["test_"], &[Run(ALNUM, 30, 30)]).proven(is_mixed)
        .with(&["te|st_Bq7NdCYjwhir83dO4ZCY9bYOzqOQJQ"], &["te|st_Y9vaFAIDJRdjRxz", "zte|st_tya25RQpJUjB17ij5QHOR3zxNgiFX5", "te|st_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pagerduty-token", &["pdus+_0", "pdeu+_0"], &[Run(URL64, 20, 80)]).proven(is_mixed)
        .with(&["pd|us+_0q53W9CuF7WSeb9Kl7Zkb", "pd|eu+_0bFvk5gvXCPhdDHwHwVqE"], &["pd|us+_0AIYjj9RDJd", "zpd|us+_0eR5sJxSlk5jcbkrQGXs2", "pd|us+_0aaaaaaaaaaaaaaaaaaaa"]),
    token("incident-key", &["inc_live_", "inc_test_"], &[Run(ALNUM, 30, 80)]).proven(is_mixed)
        .with(&["in|c_live_WpISOTv4odVBlgB68Ra5nhcyyiWUFc", "in|c_test_auAPZ71IIWOod3B08u59GReHm43pkS"], &["in|c_live_LZFKHfbKiEX3vvm", "zin|c_live_usa2UCWuG8OiPOiaSFETAJDguhjNa5", "in|c_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("coralogix-key", &["cxtp_", "cxth_", "cxup_"], &[Run(ALNUM, 30, 30)]).proven(is_mixed)
        .with(&["cx|tp_zdmFvHZeA4zXMZuPYK7G9QPFp1T31Y", "cx|th_LNbPgDXBSjwEy1IvaIlwALzPtWPkmM", "cx|up_3PjpBeQH8eD4eb8irbbM9ELHqAUuXv"], &["cx|tp_8IbIBZ9HAUQ9Ogj", "zcx|tp_JgZYvPV39AUkcl0Q5i3uyLCFtkCwIs", "cx|tp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("veracode-secret", &["vera01es-"], &[Run(HEX, 64, 128)])
        .with(&["ve|ra01es-9403fff3e25dbe8346e4b8a18d42e4eb5d9d70a9a67b7b49ebdd459ad002b9ec"], &["ve|ra01es-2ad82c0dab4a4c6726e34e5815776489", "zve|ra01es-113c4e7123f319dba3f8cf259b407d73b2ac7704834c64e7e2289b430a238f5e", "ve|ra01es-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("socket-key", &["sktsec_"], &[Run(URL64, 30, 80)]).proven(is_mixed)
        .with(&["sk|tsec_kq93Rkb7X9PfcJDQZNyo0qYCBiyUkh"], &["sk|tsec_8n6K9HD5jGDfXvu", "zsk|tsec_Spui99zCbk0J70sGkNyZCiXnQ3HkNG", "sk|tsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("chromatic-token", &["chpt_"], &[Run(HEX, 12, 32)]).proven(has_digits_and_letters)
        .with(&["ch|pt_2148374fe74e"], &["ch|pt_e550ba", "zch|pt_0a71491dc4da", "ch|pt_aaaaaaaaaaaa"]),
    token("zoho-token", &["1000."], &[Run(HEX, 32, 32), Text("."), Run(HEX, 32, 32)])
        .with(&["10|00.d4ef4b566eac30add41123905f35790d.74e90982e01a1164996b766c640ac0f9"], &["10|00.5d2f711c85dde030.b93b5664e6971fd0", "z10|00.aaaecf23c450d5721c7e7b03a284c33f.7e3cf76d5860f6d2b5a65871c59316db", "10|00.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-oauth-code", &["4/0A"], &[Run(URL64, 60, 90)]).proven(is_mixed)
        .with(&["4/|0Aen1BcFWfOxZqvhIC9Jq3NumDEMkPZHdvL4jAnMALECNWMLCgi9ZauwDL5k33"], &["4/|0AqgqIBzoF8rrn3zlnu4LQRW2Di7zkkY", "z4/|0Ao67cjfXkZCVbC2NYxCm7Jlt77guApHvqUA62FBSByuZAlfYJl27X8mV6tzy1", "4/|0Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("netbird-token", &["nbp_"], &[Run(ALNUM, 36, 36)]).proven(is_mixed)
        .with(&["nb|p_HdA3aZjYBVkLzfPHzoU0ADEbaDjvNBFTx8gA"], &["nb|p_jsWJgZ5YITjmk7IHMi", "znb|p_YVZImhPs5T5qMzTnqQzBHHlWxXce37BMIG92", "nb|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("boundary-token", &["at_"], &[Run(ALNUM, 10, 10), Text("_s1"), Run(ALNUM, 40, 300)]).proven(is_mixed)
        .with(&["at|_rjHclFHIGT_s12huRfXt3eWDO7LgYFg3oQYmd9os4cyFtbw0N2oD9"], &["at|_AzsTG_s1fJBKy1AIxTVu2ZQgP5rT", "zat|_g2s6cxyC3B_s1l8aodRKhhlxWWiC3Y4vwRHIHhW5cS9B7CGfbxk9a", "at|_aaaaaaaaaa_s1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("jumpcloud-key", &["jca_"], &[Run(ALNUM, 36, 36)]).proven(is_mixed)
        .with(&["jc|a_y2QO7W3qRCgmRU9sYBToW4VPavAjPTmggMvK"], &["jc|a_clCTuJTPI7k2QJWqqi", "zjc|a_6MxNsg9x7ntBmsyQORvMiAKP0uCeVoDwcIy3", "jc|a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("swarm-token", &["SWMTKN-1-"], &[Run(LOWER_ALNUM, 50, 50), Text("-"), Run(LOWER_ALNUM, 25, 25)])
        .with(&["SW|MTKN-1-ip95ft4212skrqaowxgwa9irc6hpo4pvwub4jn21kw2ktnqqck-n93chzqme25v4tcqrmwe9gip9"], &["SW|MTKN-1-ksw89fy9hbtn669yxw3qim6g6-ztglc1304hi0", "zSW|MTKN-1-xpsp59gj090pf0l6imxhnw6gtvxs7shi9zy4wmj8ywjizf96kk-7xp8m8c33oiuz1ebu52lrktlp", "SW|MTKN-1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("k3s-token", &["K10"], &[Run(HEX, 64, 64), Text("::"), Run(LOWER_ALNUM, 4, 8), Text(":"), Run(HEX, 32, 64)])
        .with(&["K1|013a81f906cc07346631f5733fce4871e7d306220cda7801ca964ef3e2041c4c4::z36x:bc2011949a80a57f7b3825ca02783ddb"], &["K1|06ab550569ad62d7cbb828e54aba4197b::lv:495da78f8d859d41", "zK1|0d3f2603b7726c3e8829dccbc80a890f381eadad88e3c0419d4ced14f25e1cfb8::sh15:e83623ace74ae7ff984b79a6028e1164", "K1|0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa::aaaa:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("dropbox-long-token", &["AAAAAAAAAA"], &[Run(URL64, 43, 43)]).proven(is_mixed).after(LOWER_ALNUM, 11, 11)
        .with(&["r1|rh1x6ck06AAAAAAAAAASvSoXrLPiYJguWCo26dxLT2B9hE1ItBcks9mQg3G1yA"], &["7k|f7fAAAAAAAAAAqxlSL0ZtPTKChn9rjlNww"]),
    token("bedrock-short-key", &["bedrock-api-key-"], &[Run(PADDED64, 60, 2000)]).proven(is_mixed)
        .with(&["be|drock-api-key-9W+xAoQtsCBi0bfS3sZBgTgMr13ih1olrb8S3rvNjLOqxai0ZjJkTjKhDafo"], &["be|drock-api-key-1otfV6guQQ7Ki3lezTJ0tjAAsYJwJV", "zbe|drock-api-key-pyQ53nvVBam2wWsaLQwB0KcTi6cLeHvZKazxRCTNfczQiNF62yWtBW49BPIp", "be|drock-api-key-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("baseten-key", &["bst_"], &[Run(ALNUM, 40, 40)]).proven(is_mixed)
        .with(&["bs|t_S4diig0x7pBYFRM7e15CfDAb5tFhNFXfsbN5aKfG"], &["bs|t_qPGI5wQN5JkZ8WZgmZtr", "zbs|t_zvOZDfVEt4qUWac2zv6j3Frehb57Inu2CQwlMpQE", "bs|t_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("hyperbrowser-key", &["hb_"], &[Run(HEX, 32, 64)])
        .with(&["hb|_fcd68269f421443159dcc5b6f20a9fd1"], &["hb|_2c8d73065a0c302b", "zhb|_7628aaf411b7af184d91326f78044fd1", "hb|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("steel-key", &["ste-"], &[Run(ALNUM, 40, 80)]).proven(is_mixed)
        .with(&["st|e-RvcWtgypDxnCOsyOwp36TMVLmOopl8Xbc9Qu8sIr"], &["st|e-4C8uVUY2ABq5Q8lOxb7C", "zst|e-rkrbt25WaZe7O0BdodKEPO3YSgOt3Peohq7VExLC", "st|e-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("scrapfly-key", &["scp-live-", "scp-test-"], &[Run(HEX, 32, 32)])
        .with(&["sc|p-live-5bbb40e4db6ec3f50148da83533ebfd0", "sc|p-test-d25321a2361794cbac4c54db4f895f7b"], &["sc|p-live-4d06f66306ff8bf0", "zsc|p-live-8213daf02775e38a8b553b52ef9988a9", "sc|p-live-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("crawlbase-key", &["brd-customer-"], &[Run(LOWER_ALNUM, 8, 20), Text("-zone-"), Run(WORD, 3, 24), Text(":"), Run(LOWER_ALNUM, 10, 24)]).proven(has_digits_and_letters)
        .with(&["br|d-customer-saf0yy2a-zone-V2c:1tbwb8ozul"], &["br|d-customer-ctrv-zone-p:5n5wl", "zbr|d-customer-8a2lct8u-zone-rOK:221f80dxes", "br|d-customer-aaaaaaaa-zone-aaa:aaaaaaaaaa"]),
    token("svix-key", &["sk_svix_", "testsk_"], &[Run(ALNUM, 28, 60)]).proven(is_mixed)
        .with(&["sk|_svix_scUXWGhJ4zzC0RngeiZ8juyQ9XT7", "te|stsk_Omk4chOEmXKSS5NZcro5k3K7uZln"], &["sk|_svix_DnEGFJ8k60LEkQ", "zsk|_svix_ushBaWHrXvzDs1L905QGnJ75ofw0", "sk|_svix_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("clerk-machine-token", &["ak_clerk_", "mt_", "oat_"], &[Run(ALNUM, 40, 80)]).proven(is_mixed)
        .with(&["ak|_clerk_X6zk135Pvi0stajC1d9uvL40ZAlLwIlFu4tl4Z0I", "mt|_q1sCsg3yNcaZo6cnpb5WmdlLhNd3s7XRcdggbJzs", "oa|t_l0jBt50weF4qTPXOyFIMZMiRbfkVJ4yEHvmPE8Ib"], &["ak|_clerk_x0h0AfnHfIbU6vF52oWo", "zak|_clerk_D5MOwcr7ewhi3mvbS7FCTZgsw17WFDXzW77hiaLj", "ak|_clerk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("tiktok-token", &["act."], &[Run(ALNUM, 40, 90)]).proven(is_mixed)
        .with(&["ac|t.0AqrgZOl16W7cVoVpawSof3jXwwK0RLqozB1zpkI"], &["ac|t.xUavP5sYgCzxbxg3tpgU", "zac|t.4rFSotwbhGktOFPGIsSNdfi95chVSlOlujFpFXT6", "ac|t.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("instagram-token", &["IGQV", "IGQW", "IGAA"], &[Run(URL64, 60, 250)]).proven(is_mixed)
        .with(&["IG|QVNGEV8zHgDwm5ygpXaLU4G1OaxZJq7lpi4WInPY0QEc5QnpTl7fu3PDZkZPMO", "IG|QWFe0XPIE5D0gZGUj1tEBnRsgoL7o8ucexE96gxpMyCycvaGAKT4wR7FA5pCzB", "IG|AAUamntXxKLPb8gqGvu3LOi8MkpfpvzRX5gbRbQopzWc4vUnSvdi4xudPN6ZKG"], &["IG|QVsPlzeMkFXeDXHMRNyixaCRCk7qtXVj", "zIG|QVnQtPrW8D02Vln2t2Hatzv5E4LmKx1nBqWQDnKw2UiVJhrWv2j4EKEWdf2Je8", "IG|QVaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("threads-token", &["THAA"], &[Run(URL64, 60, 250)]).proven(is_mixed)
        .with(&["TH|AAkZD5U51TbIgGJWz5FPGBftf5QP21i6WRuKmeRNRt0VUb8p8Eu7WSAmAZVEB4"], &["TH|AAVnh5m56Bj8cY2K4EjXJkRZuUiQOTrs", "zTH|AA4MYcb7C8pQ1HWQXUjlf3ZFFAm5gPcwFMzLpYxXBy2Q2tbnPGT6UmCFhHDUp7", "TH|AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pinterest-token", &["pina_"], &[Run(ALNUM, 80, 120)]).proven(is_mixed)
        .with(&["pi|na_JxebC1MrDZ4tUHUv3FzJ3c74kwf2cMP9graEjVcaZ1V7eO9AR7o3HrLUULs9VBtzH8skXiTsAgvLRRxs"], &["pi|na_bez2jDB93F0PnwV8PYkZwIYpTQgCKskkXwb0hOfE", "zpi|na_C535IhfA0chlpW7csfrtPRpJVfgKJr4gJzrlmE7LowfURhoUEvapD9R0mQtr37qPUZ3oLW53QGYaxicl", "pi|na_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("line-token", &["w1cDnyilFU="], &[]).after(PADDED64, 120, 180)
        .with(&["ld|QBMVu6jwNqWTC1FpWWBijTnWiMT81WWoRX8vyVQY3O09Ffmt6zjFBmMVZ0aFvDHXXv22TNIX2xRS1yiVxVdBERP6EmspKu8XCA4sLJzRwziCPGZc0FfPzFw1cDnyilFU="], &["Ya|gxkkgxItxY2bjwNnQSnONiEtY5BVmHGDR4FNjbejbu5Ul40ikXiZlWOieUw1cDnyilFU="]),
    token("azure-search-key", &["AzSe"], &[Run(ANY64, 6, 8)]).after(ANY64, 38, 46)
        .with(&["GK|AF8pMGr1QZ0P5A4EkwfkCO5lAQdhsGqCLED8AzSem26D95"], &["0B|3PjoqvEGTsdQtBs9NAzSeeK8"]),
    token("azure-cosmos-key", &["ACDb"], &[Run(PADDED64, 6, 10)]).after(BASE64, 70, 78)
        .with(&["oA|efXjQZcYUMzhVfzOhaa4hAecbChlUXVaFE5nFIn8lLOCgA6NTySd8lq04eTJlB5Uh4XfACDby1tNlW"], &["la|mQW8Tsr5smZkHimpk5laCYpJxsWNQ8dJGACDbbI4"]),
    token("azure-storage-bare-key", &["+ASt"], &[Run(PADDED64, 6, 10)]).after(BASE64, 66, 78)
        .with(&["vP|a1fo9QGGYadE9signYC1XIYCuu8RvLUnLR5T0Wag3dBcbPSizd0HP68DHTyXrIc2+ASt3JVp0Q"], &["0c|n31Fcrxg5AHnmyBHHKu5iQqtKlbvyFP+ASteUn"]),
    token("azure-acr-key", &["+ACR"], &[Run(BASE64, 6, 8)]).after(BASE64, 40, 44)
        .with(&["ub|l6UJQesVoLB71bJqEKbGwZFxq0awskdI1pPkWn+ACRkWXEnW"], &["bv|KiBhvwAzfrmtJ1jqqE+ACR6kg"]),
    token("azure-eventhub-key", &["+AEh"], &[Run(PADDED64, 5, 8)]).after(BASE64, 30, 36)
        .with(&["ho|bfpyZyOCM7ms5ncTDp5kdMUNnUMb+AEh1Zv4+"], &["Gg|IaqSTeFQEIQAS+AEhuU"]),
    token("azure-iot-key", &["AIoT"], &[Run(PADDED64, 5, 8)]).after(BASE64, 30, 36)
        .with(&["PC|q9kn2wN5pcO1CUAetwjEXPHAeOW1AIoT4mZlT"], &["ao|k7zfKOleVRIRMAIoTI1"]),
    token("azure-apim-key", &["AzAPIM"], &[Run(ALNUM, 6, 10)]).after(ALNUM, 60, 80)
        .with(&["qY|mD5qLj1OpRMmWG2KutiHPITmHaS9qVggiPoIM7pxfp23l5ADiwpLkhlKcHAzAPIMxuW630"], &["75|wYE9ZGDXO6CXKROZaOBy89lahqBgAzAPIMFke"]),
    token("confluent-secret", &["cflt"], &[Run(BASE64, 56, 64)]).proven(is_mixed)
        .with(&["cf|ltNqVwYS81VP7Hb1DX8pPd5khxE3pyIgKpaUnArl63XykWZeiNNCiia3anXn9k"], &["cf|lt3ksu9mI4ROnl89Sm995y", "zcf|lttbxAk7jqevt0MLaMRTvetw0tESulEETldq8b8Vw2zbJYAxyL1aCcTlN99mhW", "cf|ltaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("lob-key", &["live_", "test_"], &[Run(HEX, 35, 35)])
        .with(&["li|ve_7ebb8e3b91d26ab4a829a95249f512c17b8", "te|st_ed411fa644d35db41d94e5efaf89fc43c5f"], &["li|ve_a52f8b2b19b8f89a50f8", "zli|ve_a8e9bb8bdb5eba456bf92d5d98065e5751f", "te|st_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("heroku-user-key", &["HRKU-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["HR|KU-75143a5f-61de-bc26-7b0b-c8d3b1939a9b"], &["HR|KU-4ddbe45c", "zHR|KU-f642b0c3-a4ac-dd7f-9fcc-589f8d0a9f94", "HR|KU-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa"]),
    token("signify-key", &["RWRCSw", "RWQAAEIy"], &[Run(PADDED64, 100, 300)])
        .with(&["RW|RCSwAAAACEbhQN9CpscYi0zaEIJrp7EYcpFr2jUssFMEHP3M4V5hbWitsITvNsUHbDwxRV0LicaqJDR6g4RImaBXZBMKST9OPE261yEzR2Um5sD1Wet1aSXBLsPXE6tjk", "RW|QAAEIyESJ4FvIjBLIZdeUor0fYeQ8bvUBezSFdh1hoNP08hT5isT6CjlNlAZkeNncJgQyVerdKKhVz4NiaBfuRMFFw8Px6diSsjKORGs68JJNoqeJpq1WsHiZp3xDVyliTbPvfKQcf3hGMDpy4DE9ugYHbIU"], &["RW|RCSwyd2j88BRYoVhf6QF0niSNyw1psv7NTwYyyiU1wPs", "zRW|RCSwZOB92xHcLKnVlzegcclmmcF47EQWwaBEt47N6BuDDgmjPkex3y34EjJqhr0kWsRpcE5cw7Wxu8dSbRDE28jhYQusDRpUkcmTbKoQfNz6TxRtlDxseUTDkXpl", "RW|QAAEIyaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
