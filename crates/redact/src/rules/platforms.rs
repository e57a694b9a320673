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
    token("sanity-token", &["skA", "skB", "skC", "skD", "skE", "skF", "skG", "skH"], &[Run(ALNUM, 140, 200)]).proven(is_mixed)
        .with(&["sk|AGb7VUcxxdFTKwwnmrQGIiaLAyY7Qrc45JS8OzeZzAajLskDFabMc40HldaAsKf5Fel2FeMnCZa0C8MEHMsThirXiXs1a6E0ZkUK7e3byhxexgYQXoyEzL5S6HAepmgvuKHuLcEg9CKEf", "sk|Bsw6Gy1tSIvHwvc1FWa1xd5AhzFxatZ61KuSioCv01eCNK1oOLIbtaHAFt5a457pMdZcpauOSsQm8Uiy0i7zOvPS6Z0Ls7kxJa3zie3OLLrvvncBoxtxVYIcrHTXphYNPBpXJ4UtRuDsI", "sk|C91f5I9uld3DCjDEKYmbRsXe6viTylkKebBk8sz3AyphFboPu653OwLVrL6eatBgshjwkW9RHDvQ3COyinIIkhcu8WJLUzxeGbJbrLvFhMAQYqcTrEd7p8Vvy5TYvQrVEcu6efHkYKicA", "sk|D7PwvzkpxhbdQBVlep1mk1SSms7Rx5MlXcd9EqoAKo4tqokJan3qAq905uV7h0ebOLo7WHdMQbpuerJHv4Ltg20JoEkf4gt6iHjaN0A3HISYlijESC3XIcJLy8KURalFVzYTA1kL4jYYF", "sk|EaG1uNZBOTEglu0X31bp6QK1yX4m76TCgGoMAIT5PnBFxWXsMbpf5VJaCvKBaFJkIwGqx6Hi03QMw5pPht71udGpI7AeGSQFUgO2nMMlku4J8YOzJ0uCu5lOS7Ae71o29VhwGrSZT1jDE", "sk|F4xZTSVEAWRtoJrIMR4qY8h8pO1uCtWenmWUqqDGGVgU3ayi1uNPDji46OhYZN9X5E0ULzOJ85X5sAquqPgbVmnBGKUu5tUVwPeqOl59xgUoQnJR6AVq4eJm6gppHJRMn95JPdcbdKA8c", "sk|GjLuHWPKMaCDjYaRFqfizjtIzFA10hhZWuEIvPGNWf1xLaSsOkCDLMEqBwRysl6WgcT8TeQEAwu24XqGxZ2YL8rgF3LgDSyWIlEZcLYLqyzfCB2NXJgU7VmceEgrczNfkGDURYyqc8oqv", "sk|Hbrm7rlQQxwHvImSLZnQLJrdZb3u24Vp2rs8LdJcpLMKfw0RdQxRnbrjEJeGApORQrv0bm3RqcLrfmNjuxBWfdHZZ52ULXwLIy7nth18qZP8ikOcdN43JcaMTqwDRIIPrIRAmEQO4RBMx"], &["sk|Ajv54dlA7E6rIDDotXXPmTJcP3AJi6gPPrVky9Hb7dkGDN71Fkd35e7d9TQr9Asl9q408Vj", "zsk|Ai5sERPT2a6k2EiBR3jpTIBLE3Slt1Pphoycq1ZhNLSLaE6TiGZMwdTiKT1JKUH8k26oHW3zp0MCW01ndCfJJkcQ50n9owFEQrLzqmu79Jpp4DHz5odaFVsYaNpTmXaENDZL9rubnesnh", "sk|Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("shopify-other-token", &["shpua_", "shptka_", "shprka_"], &[Run(HEX, 32, 32)])
        .with(&["sh|pua_9015e8aa2f871353b641c264ccd9d475", "sh|ptka_969dd12dd9f5032d8cd1b72214673e4a", "sh|prka_3726c688f7594d69d29e2d819ece2f55"], &["sh|pua_34d2f75c3099c150", "zsh|pua_4248d821ea7a8a711f684ccce77e596b", "sh|pua_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("woocommerce-key", &["ck_", "cs_"], &[Run(HEX, 40, 40)])
        .with(&["ck|_27852bca384dc70e10abc65e70995accb1c5d846", "cs|_24b47a85f4995485fd4c9cf145f0d21a67699403"], &["ck|_fff3e25dbe8346e4b8a1", "zck|_8d42e4eb5d9d70a9a67b7b49ebdd459ad002b9ec", "ck|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("ebay-key", &["PRD-", "SBX-"], &[Run(HEX, 12, 12), Text("-"), Run(HEX, 4, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4)])
        .with(&["PR|D-2ad82c0dab4a-4c67-26e3-4e58-1577", "SB|X-6489113c4e71-23f3-19db-a3f8-cf25"], &["PR|D-9b407d-73-b2-ac-77", "zPR|D-04834c64e7e2-289b-430a-238f-5e41", "PR|D-aaaaaaaaaaaa-aaaa-aaaa-aaaa-aaaa"]),
    token("amazon-login-token", &["Atza|", "Atzr|"], &[Run(PADDED64, 60, 600)]).proven(is_mixed)
        .with(&["At|za¦R+kb7X9PfcJDQZNyo0qYCBiyUkh8n6K9HD5jGDfXvuSpui99zCbk0J70sGkN", "At|zr¦yZCiXnQ3HkNGe5hs29oupH7Egwb9USF9TxSB+eBX0dNL0sLtEim2vjp9Irgk"], &["At|za¦2XYfRrPq9QuiKQtcg8SUr9zMiBXDxq", "zAt|za¦DvbkS+KsPx70tkdKQQe8er2346Jefuah0uyYBVh7iuBEsI0RzzbxhxE9TJX0", "At|za¦aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("amazon-login-secret", &["amzn1.oa2-cs.v1."], &[Run(HEX, 64, 64)])
        .with(&["am|zn1.oa2-cs.v1.982e01a1164996b766c640ac0f95d2f711c85dde030b93b5664e6971fd0aaaec"], &["am|zn1.oa2-cs.v1.f23c450d5721c7e7b03a284c33f7e3cf", "zam|zn1.oa2-cs.v1.76d5860f6d2b5a65871c59316db057c96491b67bc8a25b5a76bba646a2119574", "am|zn1.oa2-cs.v1.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("checkout-key", &["sk_sbox_"], &[Run(LOWER_ALNUM, 26, 32)]).proven(has_digits_and_letters)
        .with(&["sk|_sbox_34lqrw2d7y67xzcvc2nyc7j77a"], &["sk|_sbox_hua62fbsbzayj", "zsk|_sbox_27x8v61ha3zybvlphu0adednbf", "sk|_sbox_aaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("mollie-test-key", &["test_"], &[Run(ALNUM, 30, 30)]).proven(is_mixed)
        .with(&["te|st_Tx8gAjsWJgZ5YITjmk7IHMiYVZImhP"], &["te|st_s5T5qMzTnqQzBHH", "zte|st_lWxXce37BMIG92rjHclFHIGT2huRfX", "te|st_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pagerduty-token", &["pdus+_0", "pdeu+_0"], &[Run(URL64, 20, 80)]).proven(is_mixed)
        .with(&["pd|us+_0t3eWDO7LgYFg3oQYmd9o", "pd|eu+_0s4cyFtbw0N2oD9AzsTGf"], &["pd|us+_0JBKy1AIxTV", "zpd|us+_0u2ZQgP5rTg2s6cxyC3Bl", "pd|us+_0aaaaaaaaaaaaaaaaaaaa"]),
    token("incident-key", &["inc_live_", "inc_test_"], &[Run(ALNUM, 30, 80)]).proven(is_mixed)
        .with(&["in|c_live_8aodRKhhlxWWiC3Y4vwRHIHhW5cS9B", "in|c_test_7CGfbxk9ay2QO7W3qRCgmRU9sYBToW"], &["in|c_live_4VPavAjPTmggMvK", "zin|c_live_clCTuJTPI7k2QJWqqi6MxNsg9x7ntB", "in|c_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("coralogix-key", &["cxtp_", "cxth_", "cxup_"], &[Run(ALNUM, 30, 30)]).proven(is_mixed)
        .with(&["cx|tp_msyQORvMiAKP0uCeVoDwcIy3IPg9n5", "cx|th_FT4t2n1ct2aSzdrmKmnRaxsQAbOWXv", "cx|up_eGWsAz9IRC6HPOn4PfVWUzjBelcd4J"], &["cx|tp_zN21KliWd2KTfNQ", "zcx|tp_kbQuCKN93CHeZQMxcneiE2d5gV4TCQ", "cx|tp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("veracode-secret", &["vera01es-"], &[Run(HEX, 64, 128)])
        .with(&["ve|ra01es-db7489c4ae447485eb3341d9b383e8a60102890cec2489040c70a39b8b38efe3"], &["ve|ra01es-e8942b9499743aa3c4b4611c9f075f21", "zve|ra01es-adaeac13a81f906cc07346631f5733fce4871e7d306220cda7801ca964ef3e20", "ve|ra01es-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("socket-key", &["sktsec_"], &[Run(URL64, 30, 80)]).proven(is_mixed)
        .with(&["sk|tsec_82yOtbY8PY8Z3j6XzaMOluZh4osyk0"], &["sk|tsec_n3ex2J8fsgWIrew", "zsk|tsec_fyLjHoz1jsfjxLBaEsuUFwNY7G4gBO", "sk|tsec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("chromatic-token", &["chpt_"], &[Run(HEX, 12, 32)]).proven(has_digits_and_letters)
        .with(&["ch|pt_a02783ddb6ab"], &["ch|pt_550569", "zch|pt_ad62d7cbb828", "ch|pt_aaaaaaaaaaaa"]),
    token("percy-token", &["web_", "app_", "auto_"], &[Run(HEX, 64, 64)])
        .with(&["we|b_e54aba4197baf495da78f8d859d41d3f2603b7726c3e8829dccbc80a890f381e", "ap|p_adad88e3c0419d4ced14f25e1cfb8e802e83623ace74ae7ff984b79a6028e116", "au|to_4d0d8036a03eeac9613ae15470954d18053a737ea0cea64b45d650e15eb0104e"], &["we|b_1bac09ea60f3dd3a1e905599fd21f51a", "zwe|b_d50ae3a8ad6ebdb7315245c9e20357db30266527b7b2a8c892db294c6f72f131", "we|b_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("zoho-token", &["1000."], &[Run(HEX, 32, 32), Text("."), Run(HEX, 32, 32)])
        .with(&["10|00.723916dbd7fcd68269f421443159dcc5.b6f20a9fd12c8d73065a0c302b7628aa"], &["10|00.f411b7af184d9132.6f78044fd1d66cc1", "z10|00.3ebfac44d49264ff1552d4c36123c05a.7cc1ec1c3f7a65bbb40e4db6ec3f5014", "10|00.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-oauth-code", &["4/0A"], &[Run(URL64, 60, 90)]).proven(is_mixed)
        .with(&["4/|0AGuoRnzjbqkkaKYH6WYB7at6TMcVRc0WR4lasoluBY7y4kmbmd2K5b6D3FmWJ"], &["4/|0AXewh8PhMKP9XwPrxfpA8nkQN8UHfJf", "z4/|0AAshzgVFbMlvvi8ldqR1CUCD7t0mwDVVlHeoNV1XH426eQKUeh1X5rFtFATWl", "4/|0Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("netbird-token", &["nbp_"], &[Run(ALNUM, 36, 36)]).proven(is_mixed)
        .with(&["nb|p_6hjthdGLipGNjBAWe6MBenvZ5SdVdJJGZHKu"], &["nb|p_YsZbdISAgF0aYsY2ye", "znb|p_eAV2cu1TBWB8OZfUnLCtTRVp5N5iWLk8Aukx", "nb|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("boundary-token", &["at_"], &[Run(ALNUM, 10, 10), Text("_s1"), Run(ALNUM, 40, 300)]).proven(is_mixed)
        .with(&["at|_2kLCxadTw8_s1UrOK221yF8o0dmDcnXEfjSscUXWGhJ4zzC0Rngei"], &["at|_Z8juy_s1Q9XT7Omk4chOEmXKSS5N", "zat|_Zcro5k3K7u_s1ZlnDnEGFJ8k60LEkQushBaWHrXvzDs1L905QGnJ7", "at|_aaaaaaaaaa_s1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("jumpcloud-key", &["jca_"], &[Run(ALNUM, 36, 36)]).proven(is_mixed)
        .with(&["jc|a_5ofw0X6zk135Pvi0stajC1d9uvL40ZAlLwIl"], &["jc|a_Fu4tl4Z0Iq1sCsg3yN", "zjc|a_caZo6cnpb5WmdlLhNd3s7XRcdggbJzsl0jBt", "jc|a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("infisical-token", &["st."], &[Run(HEX, 24, 24), Text("."), Run(HEX, 32, 32), Text("."), Run(HEX, 32, 32)])
        .with(&["st|.2072ecc79bbdf9278c749005.89f372162bc31e376e037633a05c033f.fe1a0da509fc261f27e8c7c89eb42fec"], &["st|.77e3b87f4862.af280c9329c0d72d.e31c6cbc70c97260", "zst|.8f075da34743b685ae2d3752.65faac481ac4bd2dd2fe2cb3a8cb768b.db6d63fdc4601f118272aa05d6a1ff91", "st|.aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("swarm-token", &["SWMTKN-1-"], &[Run(LOWER_ALNUM, 50, 50), Text("-"), Run(LOWER_ALNUM, 25, 25)])
        .with(&["SW|MTKN-1-4ekew2j8zd5u51tigjw5fpgb5qp216wrkrnr0vu88e7wsaazve-b4v556b8y2k4exjrzuqot4my7"], &["SW|MTKN-1-c8q1hwqxu3zffa5pfmlyxb2q2-pgt6ucfhdu7j", "zSW|MTKN-1-c1mdz4uhu3fj3742mp9evz1v7o9ar73hluul9vbh8xtalrr2db-93f0pv8pyziytqckx0oec535i", "SW|MTKN-1-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("k3s-token", &["K10"], &[Run(HEX, 64, 64), Text("::"), Run(LOWER_ALNUM, 4, 8), Text(":"), Run(HEX, 32, 64)])
        .with(&["K1|0503cd9fa92973afdf764d0d13cf1a21d8d5bf3be6075ebe40d4fd1c047375bf0::fdhx:11eb91de0ff57dc37a4652a9d6c807c7"], &["K1|091bdecb725f886d27b2f20cf8a574b80::qz:0c25276c25d86a76", "zK1|0413642051c78ed54ba45dfbfc256ff772794ac653bee402e952f20bd4e28269b::q8jg:92c04d887460964dafad2e015ce08c34", "K1|0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa::aaaa:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("appveyor-token", &["v2."], &[Run(LOWER_ALNUM, 20, 20)]).proven(has_digits_and_letters)
        .with(&["v2|.dhtxi23jv0q031f5ahbh"], &["v2|.hk5qkfpu6u", "zv2|.jqvlb71jekgzf0i1pwwx", "v2|.aaaaaaaaaaaaaaaaaaaa"]),
    token("dropbox-long-token", &["AAAAAAAAAA"], &[Run(URL64, 43, 43)]).proven(is_mixed).after(LOWER_ALNUM, 11, 11)
        .with(&["ew|kbaj1e6zoAAAAAAAAAACM7ms5ncTDp5kdMUNnUMb1Zv4GgIaqSTeFQEIQASuUP"], &["c9|2n5AAAAAAAAAApcO1CUAetwjEXPHAeOW14"]),
    token("bedrock-short-key", &["bedrock-api-key-"], &[Run(PADDED64, 60, 2000)]).proven(is_mixed)
        .with(&["be|drock-api-key-mZlTaok7zfKOleVRIRMI1qYmD5qLj1OpRMmWG2Kuti+HPITmHaS9qVggiPoI"], &["be|drock-api-key-M7+pxfp23l5ADiwpLkhlKcHxuW6307", "zbe|drock-api-key-5wYE9ZGDXO6+CXKROZaOBy89lahqBgFkerVvQ1LKtnhTncYLN760BNXdf5jj", "be|drock-api-key-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("wandb-project-key", &["local-"], &[Run(HEX, 40, 40)])
        .with(&["lo|cal-653ab524669c021e5c4cc1e7d703f36dd7266003"], &["lo|cal-8e30d7b183ca4ffb49f4", "zlo|cal-aefee882d0d6781bca2bec37906cf04081122de1", "lo|cal-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("baseten-key", &["bst_"], &[Run(ALNUM, 40, 40)]).proven(is_mixed)
        .with(&["bs|t_21my78oboyaKtEPcGnETeBsQqvEGVcPdzUQf7MMq"], &["bs|t_0jDtuM9JhBCoB03GDioc", "zbs|t_NFzt9xRL1nAjWoEd7BHkPEUVIOuaOn7IFuOhl9FB", "bs|t_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("hyperbrowser-key", &["hb_"], &[Run(HEX, 32, 64)])
        .with(&["hb|_693d6235afdd708426041dc2a1762f51"], &["hb|_0ce1cff8fcc6a893", "zhb|_874fe7a529b81e195552d8503bec7418", "hb|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("steel-key", &["ste-"], &[Run(ALNUM, 40, 80)]).proven(is_mixed)
        .with(&["st|e-o1lmH312yxOdojf8cosgPZcP3mO7fCWQpYGe0a0r"], &["st|e-G3RUxmWtup1FYwhWnuCq", "zst|e-KFGO0sW5Uy9QLaHfMsSLJETlKv25JbESMG1M0Rrl", "st|e-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("scrapfly-key", &["scp-live-", "scp-test-"], &[Run(HEX, 32, 32)])
        .with(&["sc|p-live-460e9d44901983871f572d851db23667", "sc|p-test-07d3b4805ca2b2dfbd8df51b260125ab"], &["sc|p-live-8ad5e11d0d414d18", "zsc|p-live-f05659c857ba39bbdb8870d89c3269c5", "sc|p-live-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("crawlbase-key", &["brd-customer-"], &[Run(LOWER_ALNUM, 8, 20), Text("-zone-"), Run(WORD, 3, 24), Text(":"), Run(LOWER_ALNUM, 10, 24)]).proven(has_digits_and_letters)
        .with(&["br|d-customer-igyrwerb-zone-nQ4:5mlv36ajbe"], &["br|d-customer-3ms0-zone-x:6il48", "zbr|d-customer-meej78v6-zone-X14:aubj16tqz9", "br|d-customer-aaaaaaaa-zone-aaa:aaaaaaaaaa"]),
    token("svix-key", &["sk_svix_", "testsk_"], &[Run(ALNUM, 28, 60)]).proven(is_mixed)
        .with(&["sk|_svix_AvWFbpcVlAFJ56180hebDy5Z9r7o", "te|stsk_EF0qwdo6phTuzQNw5smXHpdsMHf3"], &["sk|_svix_3DohdgePQWQ4NC", "zsk|_svix_wwNtIqryJEiQ3YKpo1vigIFUJ28K", "sk|_svix_aaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("clerk-machine-token", &["ak_clerk_", "mt_", "oat_"], &[Run(ALNUM, 40, 80)]).proven(is_mixed)
        .with(&["ak|_clerk_xdjojpB6jI0XQvkrp8FB5lnxRGI5YyZcUi1kOF5B", "mt|_q1Doglz762XTFUYtGuoSxOhaxV0n7w6ZSI6bjEHy", "oa|t_IDkBmn4Wle7HD663jQHKFJ4iaRbg2m0lESe8TSm7"], &["ak|_clerk_uYAnOB8tkIV6Gj6Xs2j9", "zak|_clerk_njOFV0fvdxrUtzaWmxjWehNZmvDBq55C8ZlpDVe9", "ak|_clerk_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("github-app-token", &["v1."], &[Run(HEX, 40, 40)])
        .with(&["v1|.832351fb080acc98a957ccb8b2d572db8a05376d"], &["v1|.919c55189e26a85136fb", "zv1|.d105848dcd2292ca2b86d7caaf7d3107c535a413", "v1|.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("tiktok-token", &["act."], &[Run(ALNUM, 40, 90)]).proven(is_mixed)
        .with(&["ac|t.MkeUgtztc2P7pbFT1kfxJjw8EaN92QjSiS8Io2PE"], &["ac|t.LjTl4onvA6qOhfDL5upB", "zac|t.6WM77UKFNvDe1pWjsRqY6P7j2fEfHd4AdxvPC7b8", "ac|t.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("instagram-token", &["IGQV", "IGQW", "IGAA"], &[Run(URL64, 60, 250)]).proven(is_mixed)
        .with(&["IG|QVZVRECJ0kNZbCnTXb2zyzFSKygSanl8KxUgXJAHDjDuYJHhhJ9mgQvVBlWkQn", "IG|QWCARqccQJANyFd6PqbF4YDcxg7TVTgEw4kJvWfNYaluUQPCKbQ1MGkUaCHwbW", "IG|AAzT6jlnpsFnUsZ0Kl5GnSZe8kyazYpjNdivtk0ZwPRgznMV6rLB8PV3wD0zzj"], &["IG|QVNvcqvytrgZSMhrxPYfvDHxPTzewLVZ", "zIG|QVWFvEjsw3DoztFXfnprEvgmxW7RnDPPuPxH9ggwUrsBhfjcFCXypL9oUPoeGO", "IG|QVaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("threads-token", &["THAA"], &[Run(URL64, 60, 250)]).proven(is_mixed)
        .with(&["TH|AAXfAIIe0e8ikYCggSxcDmKQbDZFUXBSLYmSGPmQt5O7wsvwNbGgrBf90zSK85"], &["TH|AAcCPu2HYfZPVFJ1kSmqWw8sUjc5WaXk", "zTH|AAFTbHYCr3huc26Ubwm7nmYhVfKtg9fwVObQWzwxPvALWp4cmnd9Aic2PJffdG", "TH|AAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("pinterest-token", &["pina_"], &[Run(ALNUM, 80, 120)]).proven(is_mixed)
        .with(&["pi|na_AO1eSqFslKHVQuKsRlVXWGh1uZiBxIczx3Lk858HI6q3WhKFEh3IoiXefDASAmuo05HPNnDpJvBphMp1"], &["pi|na_1tJeZMNaA9MmciI28vZcyEE9UVITnZa0A1JrBHXF", "zpi|na_OGtwK5oJRmfQebJR1b9eMy4P7tyd5tH82SW0NQVTuWrAVCkEnfGxqgyDu5HcFXss9zR9dmwF2NruH8Ww", "pi|na_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("line-token", &["w1cDnyilFU="], &[]).after(PADDED64, 120, 180)
        .with(&["AQ|ZXghDhFBRYsKPMqCuRG3RMNZxoMJflcx9Gy1U84EA4k0HRK8S4P61cAXS8WE0hyiykCEN61FbjX4NgfNC42KVKWJ7wxsVKHeB9JM4xDw4O2aPJrNlP6PNSw1cDnyilFU="], &["gR|8n72VBTAeDwmqNLuf3PaJ1jUhqmYduyzq1Pue2U5h4wASiKEyJ3Qeo7eZxw1cDnyilFU="]),
    token("azure-search-key", &["AzSe"], &[Run(ANY64, 6, 8)]).after(ANY64, 38, 46)
        .with(&["3U|uc2U2IWsxTUlFoDAVR7FK038ZfwLNIKwGL5KAzSelK5Phj"], &["dx|9vQbQ1cBQdGt2jqWUAzSegjP"]),
    token("azure-cosmos-key", &["ACDb"], &[Run(PADDED64, 6, 10)]).after(BASE64, 70, 78)
        .with(&["ZV|Z95A4iacFLvUMKF7lVFzqRYkMo7vqtrhZIf64QipKyoh8h5ROZe675j0aNtnZDFa7kSxACDbKAnYiI"], &["ry|7CpBmJAm6vZ1Yo8khxFjiLIvp7AX5vgWiACDbeKL"]),
    token("azure-storage-bare-key", &["+ASt"], &[Run(PADDED64, 6, 10)]).after(BASE64, 66, 78)
        .with(&["ZU|3FwfK5TKErIAWiSVanaRK8Mq9HPiPteab6b3PiL0iAjxTzuHQT73v4DUyNQG84uY+ASt6kGXr7"], &["oI|Fh1y9FwTt1b5cIPJSfas22GieHWohHZ+AStAmL"]),
    token("azure-acr-key", &["+ACR"], &[Run(BASE64, 6, 8)]).after(BASE64, 40, 44)
        .with(&["jC|1hg7vpbbdT2mlWQtlA6QGvYNlAi39Vz8EWB4P2+ACRy3Cer4"], &["9U|O0Esgi1Wyw7LUCdLSP+ACRnSr"]),
    token("azure-eventhub-key", &["+AEh"], &[Run(PADDED64, 5, 8)]).after(BASE64, 30, 36)
        .with(&["9g|xy0iaQD4AXCghViBEhVrMeWEBBcO+AEhHG0vu"], &["Qm|vVUwaXJx0j29L+AEhIg"]),
    token("azure-iot-key", &["AIoT"], &[Run(PADDED64, 5, 8)]).after(BASE64, 30, 36)
        .with(&["Nj|rRhoabk6fHFczZPe9PAXDlJtLC9eAIoTqASDs"], &["Oi|uCTOjpqJQSYn4AIoTgH"]),
    token("azure-apim-key", &["AzAPIM"], &[Run(ALNUM, 6, 10)]).after(ALNUM, 60, 80)
        .with(&["Wv|Otoc0pfJmo1p5Wpx7MiB9NPcxEjnBaOPI0suSIv4cgFnODaYkNm8nwpJCtAzAPIMOUDFCa"], &["GG|JTfgjsIWdElU315CrDyueZsr6VEyAzAPIM5Yo"]),
];
