//! Tokens of vendors that are known by their prefix and have no separate row elsewhere.

use crate::check::is_mixed;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, DIGIT, DOTTED, HEX, LOWER_ALNUM, PADDED64, UPPER_ALNUM, URL64};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("mercado-pago-token", &["APP_USR-"], &[Run(DIGIT, 12, 18), Text("-"), Run(DIGIT, 6, 6), Text("-"), Run(HEX, 32, 32), Text("-"), Run(DIGIT, 6, 12)])
        .with(&["AP|P_USR-787789328792-174218-1ce50211670eae679f02e8d28a79023c-146100"], &["AP|P_USR-139309-559-e4f4c54977656cf2-601", "zAP|P_USR-108436469748-212378-2866028de71159b42b4ea410fb9102f2-452117"]),
    token("buildkite-other-token", &["bkct_", "bkpt_", "bkaj_", "bkpi_"], &[Run(ALNUM, 36, 64)]).proven(is_mixed)
        .with(&["bk|ct_IxVc57VVTiY96vwfRE5e32A8Yb3FKaNQyyLa", "bk|pt_MeffOhq4AUvy7VSLDCD1IfHWGbtMfEbo9ShF", "bk|aj_XNQ6Fq5axtjRNmHkW5vQ7CF5puzQqmOBZZW6"], &["bk|ct_m4nyoL6uniiFw152cT", "zbk|ct_e8r0khCEr7n1AyOHFRuT11NCue1cr3McRTrK", "bk|ct_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("bitbucket-http-token", &["BBDC-"], &[Run(PADDED64, 40, 60)]).proven(is_mixed)
        .with(&["BB|DC-TNcrZ6ydIEsgo5nVjzz8Gwb8ewCISuYCl0Xq56za"], &["BB|DC-WR7PAmpBFXlNPHcSke4R", "zBB|DC-1J+dBi2ewQr8t4/lC4LvGNWAMsI/z0oaWdfZp+lv", "BB|DC-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("neon-password", &["npg_"], &[Run(ALNUM, 12, 24)])
        .with(&["np|g_e7IDA69Z7zrp"], &["np|g_EFivB5", "znp|g_0756EHugmANb", "np|g_aaaaaaaaaaaa"]),
    token("new-relic-region-license", &["eu01xx", "gov01xx", "us01xx"], &[Run(LOWER_ALNUM, 26, 34), Text("NRAL")])
        .with(&["eu|01xxqibcmjoasuwp5g5h6qm71by07kNRAL", "go|v01xx8n8n7n8iowluumnmgipifqyg10NRAL", "us|01xx8imzbgmwxh6v6me4gbc964jmlhNRAL"], &["eu|01xxnlksgdi3eguz3NRAL", "zeu|01xx16w1nxacml03xxzmkg6aufzm6vNRAL"]),
    token("mandrill-key", &["md-"], &[Run(URL64, 22, 22)]).proven(is_mixed)
        .with(&["md|-2FC-R6YSRQr_-jf0SaWl7d"], &["md|-Ubo11sFuWvP", "zmd|-AX2LJh8NoMtwh6c9eOnzxT", "md|-aaaaaaaaaaaaaaaaaaaaaa"]),
    token("turnstile-secret", &["0x4AAAAAA"], &[Run(URL64, 24, 32)]).proven(is_mixed)
        .with(&["0x|4AAAAAAp4bW8ELo6bAtLWMRYlGyzWoQ"], &["0x|4AAAAAANJ8Q5Wlnsmqw", "z0x|4AAAAAAxyZe7lmDeup30jR2rAsX9Q0b", "0x|4AAAAAAaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("neptune-token", &["eyJhcGlfYWRkcmVzcyI6"], &[Run(PADDED64, 60, 400)]).proven(is_mixed)
        .with(&["ey|JhcGlfYWRkcmVzcyI6ZOFcHQyRN4nWAQLnuGMDTszzdzkrF91QQlUI7p5rEiHvQspaKUEUvxj6eZxr"], &["ey|JhcGlfYWRkcmVzcyI6NWcuz07esXpZwRqHFQgesZ/n8S00K+", "zey|JhcGlfYWRkcmVzcyI6703poQ31dPgL3WPNiFp5FYg8nENYEiV1vC1pjmqp6aLFMdPwi45YsTDfNd6O"]),
    token("dify-key", &["app-", "dataset-"], &[Run(ALNUM, 24, 24)]).proven(is_mixed)
        .with(&["ap|p-tuFj7XXE4nms27S5dmu12w5E", "da|taset-blO4SJmIOpm84dPgtU0u95r3"], &["ap|p-AT4ivS98XCAf", "zap|p-ko3thTSmrlUpGQsYrxZQH4hL", "ap|p-aaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("cursor-api-key", &["crsr_"], &[Run(HEX, 64, 64)])
        .with(&["cr|sr_7957842e2e21098d25967580541ec0f152baf19553d7e878f7f8161e5a40fde8"], &["cr|sr_02357419d1a8f25c875fe1adeb614f44", "zcr|sr_e107d42c9fd2179837de27b9a615c1a5ec6cc16db755f6c6e9fef5f6cd218b80"]),
    token("configcat-key", &["configcat-sdk-1/", "configcat-proxy/"], &[Run(URL64, 22, 22), Text("/"), Run(URL64, 22, 22)])
        .with(&["co|nfigcat-sdk-1/AN029rHO5WsAJ5ZrXTCnLV/SBrfd9bMiBTpVEHl2pY_h-", "co|nfigcat-proxy/XQK_JCuZz8vSElR2t9GNcY/pUiZIgW_M8PGjdeSPVMHx8"], &["co|nfigcat-sdk-1/XRUdBjg01iJ/i75WXerIN_U", "zco|nfigcat-sdk-1/8ctyIDHCEaYaE_kQHSncOA/YuyuuQ-LV1KU_EFUPwqiin"]),
    token("growthbook-key", &["secret_admin_", "secret_readonly_", "secret_user_"], &[Run(ALNUM, 32, 64)]).proven(is_mixed)
        .with(&["se|cret_admin_4Tth2CGXREckN3A3EdwqzGVYSzqTOqxT", "se|cret_readonly_Rulv2Wn1K1iKAPTiNV1rZkimyNQsoPla", "se|cret_user_ELS8Y7irSrAqOQzy7RidkTh3cmswUIZh"], &["se|cret_admin_zv5b1I2EkxetCZ31", "zse|cret_admin_PsozUNAWjKyRSnIsZ3jCl1gJ75q4FBhj", "se|cret_admin_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("volcengine-key-id", &["AKLT"], &[Run(ALNUM, 40, 60)]).proven(is_mixed)
        .with(&["AK|LTu4brKKjrOzruofEmxJqJdjea5WtQfalvEiYm3AEc"], &["AK|LTAwZJzJdnJNQ0Nqrm8s3p", "zAK|LTZCK18Udl2b8kIhRerwbWJteGDa4ne9xaXHqZpY7V", "AK|LTaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("vk-token", &["vk1.a."], &[Run(URL64, 60, 300)]).proven(is_mixed)
        .with(&["vk|1.a._ZNm9Z0GdbsDPXVJU5TNJiPmHQBxBgqMAwSntsVSx3cbZgZmPAcwPinP38C_"], &["vk|1.a.0wIiXPxTbsWhBS42op6371XDWfe55K", "zvk|1.a.fgPt7QGOy8Zgq-oDxsonGHixeRGS6Ab2z-JEjn4-Ej_hitUwmQeSCKp1xXd7", "vk|1.a.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("linear-webhook-secret", &["lin_wh_"], &[Run(ALNUM, 32, 64)]).proven(is_mixed)
        .with(&["li|n_wh_5FefPnIOu49UmJQBya0vSu2O8rQMnSnl"], &["li|n_wh_XikSLDcirhq8wNNw", "zli|n_wh_tmaeSnVTx3tXAmjeOrBx0NArDiGh8gwG", "li|n_wh_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("supabase-oauth-token", &["sbp_oauth_", "sbp_v0_"], &[Run(HEX, 40, 40)])
        .with(&["sb|p_oauth_d7f39392e7fc6d7e2bda9e89070db48cd8a333e6", "sb|p_v0_2b0b0b04f2b5eaf170cd7312ec66fb4c32058f3d"], &["sb|p_oauth_e40bb03bd3393274299b", "zsb|p_oauth_77de16e53e43445d3d0743c590c3f91cd92683da"]),
    token("vercel-blob-token", &["vercel_blob_rw_"], &[Run(ALNUM, 16, 16), Text("_"), Run(ALNUM, 24, 48)])
        .with(&["ve|rcel_blob_rw_5FnP4J8iKG75gzOt_rVMqoxfBYEywPBvChdt1HdkH"], &["ve|rcel_blob_rw_yJuz0oRg_TxcuxE8oHVHF", "zve|rcel_blob_rw_UaxAL9gaSLw9px9M_Sx1tnMWLdulFhHWWwd2fnqLr"]),
    token("posthog-other-key", &["phs_", "pha_", "phr_"], &[Run(ALNUM, 40, 50)]).proven(is_mixed)
        .with(&["ph|s_ZY8BP3xzfsKRgfzo1qvcuj0jYsPsdWFdzNfJi7vO", "ph|a_TbN7RWnLIa0VEAvRO660elYfCRWiyWCRBZhCu5VU", "ph|r_e1h91wQ1JThShztS9PJh73ngAuIi18hj3rEAc5B7"], &["ph|s_ymRS7FFBSZyGXEgJV2kX", "zph|s_Lumaw0kPwyLZHRyCKL1DwXLjETzufSFoOqwUAKcq", "ph|s_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("google-auth-key", &["AQ.Ab8"], &[Run(URL64, 40, 60)]).proven(is_mixed)
        .with(&["AQ|.Ab8iGWFB3ix06X-pDxnNteTu-Q-t5TMmFtBzSpuyvVP"], &["AQ|.Ab8UnLHoFTcwGLKGqH-jIdK", "zAQ|.Ab8JtXuqluHNg2UD95VSBISDjojManpyVNTshisd0sj", "AQ|.Ab8aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("context7-key", &["ctx7sk-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["ct|x7sk-d52bf63d-4f62-f024-98a7-844d0fa52513"], &["ct|x7sk-3990-d1-45-20-b26c7d", "zct|x7sk-ba7bc078-1bab-e7d5-6468-ef7a57880597"]),
    token("daytona-key", &["dtn_"], &[Run(HEX, 64, 64)])
        .with(&["dt|n_29a617227e61d4bb22c4d7a6c92f01f1c2d54265f7aa444a16747ebb38425b13"], &["dt|n_9a538e822702955a39febfe164f0ec19", "zdt|n_515c6007df2e05a0591a8bf8a5b4dde8af75e95a7c5a930bf3fc0fc8fe12aff1"]),
    token("letta-key", &["sk-let-"], &[Run(PADDED64, 60, 200)]).proven(is_mixed)
        .with(&["sk|-let-sdJ4gkJgEZfGyn2Thj+9tLORzB5MqFJMwp8MFfcR8ZiuoHKXNGxHqh30YaH/"], &["sk|-let-+CXTfcu/DDpt3O7IxdInQQgdLM7hQn", "zsk|-let-JB+iemg8FKzUE3PYiRgTL1B0E8kp2381G1blyxhtxIOIfh6h3n8yGhjaI74q", "sk|-let-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("logfire-token", &["pylf_v1_us_", "pylf_v1_eu_", "pylf_v2_us_", "pylf_v2_eu_"], &[Run(ALNUM, 40, 50)]).proven(is_mixed)
        .with(&["py|lf_v1_us_BFKYVpz0PpR3NAcfTKipdKEzbyeVzUDNgn9p2VFL", "py|lf_v1_eu_3u7Ohvtbo13UGKAVz34mqcYfTrCnxQBnCBunNbA3", "py|lf_v2_us_tNXfDVEO4JDQyR5GZY7z4QeVosoUM8MPQDBnPtoM"], &["py|lf_v1_us_XfILUvKTzb1AwXBqfNyo", "zpy|lf_v1_us_3zt9mV6BdFLd0n1PzeLTTWvVxLEqqTRJAIkbiWXL", "py|lf_v1_us_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("hubspot-region-token", &["pat-na2-", "pat-na3-", "pat-ap1-", "pat-eu2-"], &[Run(HEX, 8, 8), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 4, 4), Text("-"), Run(HEX, 12, 12)])
        .with(&["pa|t-na2-a08afa5f-f9d4-31ee-e09b-d12095b6c84b", "pa|t-na3-0bcc4976-5032-0680-f109-a6baa6fa0e9b", "pa|t-ap1-77a4aed5-55fb-b6a7-fb17-f1203a1bfc23"], &["pa|t-na2-d058-14-a1-e9-70b7b0", "zpa|t-na2-799800b9-d585-353f-69e7-dcb8ee79099c"]),
    token("shopify-partner-token", &["prtapi_", "atkn_", "shpatf_"], &[Run(HEX, 32, 64)])
        .with(&["pr|tapi_11e96bebe2c76237ad919b2304c3ed15", "at|kn_2e7f6ea0076279a53586751b14605fa8", "sh|patf_5a3019c8c5df1788622857c93caf01df"], &["pr|tapi_c38130bbac4560f7", "zpr|tapi_e6f12146ce7dc5b1b2485107c4214a13"]),
    token("depot-token", &["depot_org_", "depot_project_"], &[Run(HEX, 48, 80)])
        .with(&["de|pot_org_8beb849c18ca359c3428f732bf69d89f06af603d2207eefa", "de|pot_project_a1deb84b34a25325d59a992e1f4a35de241593e4e58a3ad0"], &["de|pot_org_bea441cb12d7b02a7b3941ca", "zde|pot_org_553a0e75266caf291efb2f3829a35a673e9e2a62d11999dc"]),
    token("tigris-secret", &["tsec_"], &[Run(URL64, 40, 80)]).proven(is_mixed)
        .with(&["ts|ec_C1rcwNwTkRjSgg7-j76bvUUhaP--zeA7YbPShYOJ"], &["ts|ec_imNYpl2TfRzMCPbM1LR-", "zts|ec_ITi0SKrNWhSqFmun47rXOIh4XicHmBvM62OAGTlj", "ts|ec_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("databricks-other-token", &["dose", "dkea", "dapix"], &[Run(HEX, 32, 32)])
        .with(&["do|se3b914e38e37c80c7e4f763f972bd131e", "dk|eac752e6074f2bfd304940849e4cf05f5f", "da|pix6ab61eefe498d9689242be2df62cee13"], &["do|sed4e2432d34322e58", "zdo|se106bd3428516bd6f660d02c40ba75689"]),
    token("segment-token", &["sgp_"], &[Run(ALNUM, 64, 64)]).proven(is_mixed)
        .with(&["sg|p_qWmqV3ZRn5Jwk9JLbqYPctUhXcLNppegmXRj5WDrmx47a1O1UlML7pNoLNugyMKs"], &["sg|p_pPz3kU3oQbpxhBi2ZJsH4M0JcRkJYJMp", "zsg|p_shKCt4g87sbKzH7DEl9YNfSoRr0mamQflHTlLPRMYNYEENjsGDHSHnrUgL7tNrJW", "sg|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("firehydrant-token", &["fhb-"], &[Run(HEX, 32, 32)])
        .with(&["fh|b-699bdf5b4fa5ce230a7dfb821dff5cb9"], &["fh|b-504555792e06e2e5", "zfh|b-bbe93f0da68a17fb9f5e76e7db8ef57a"]),
    token("canva-secret", &["cnvca"], &[Run(URL64, 40, 60)]).proven(is_mixed)
        .with(&["cn|vcaUG33_GHW4YZ2s3DtylTpbgJdw_n7cvPbgYO8-Ene"], &["cn|vcaE8VU9o129Czu--IDhlEh", "zcn|vcaxQYnDbHeQE96zwGkneokfdzH5Ps7D4z3FcnqkCxG", "cn|vcaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("smtp2go-key", &["api-"], &[Run(UPPER_ALNUM, 32, 32)]).proven(has_digits_and_letters)
        .with(&["ap|i-SAX12QA5ZQHZU0UE7WZOWA4T6J3QZBPU"], &["ap|i-71817X9G55QT14FW", "zap|i-JHZOIBI9TXA5KC93E2OB6O36BL77LOEM", "ap|i-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("zeptomail-key", &["Zoho-enczapikey "], &[Run(PADDED64, 60, 200)]).proven(is_mixed)
        .with(&["Zo|ho-enczapikey K/61907UzkFniKFt3T2EwMarO7O5i2c055KOAI1D2UJbJ8rjjJctiMSwmWC/"], &["Zo|ho-enczapikey QLs5Gh19WixLiV/fR7DArIG8E7fT1t", "zZo|ho-enczapikey GypXd6ZrVPKSFz3ZwlotMXVWFQMUFuuZlLTHw2An/IX50v6idUPZUa+j2b+g", "Zo|ho-enczapikey aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("salesforce-refresh-token", &["5Aep861"], &[Run(DOTTED, 60, 120)]).proven(is_mixed)
        .with(&["5A|ep861ksOEt05FINQSPFhkQ_lgwWMDx1KoVdum-kr-uM3NVKdeXyn3tj6H3rIs9nv6"], &["5A|ep8614faLoX9PKEOLRY7aUheXMgn30mR5A-", "z5A|ep861-2DhFv8QXWY5d7vItk6kf-Kg0wOz_eXx8nxw6Av6I_xvOfhBG26sp7NiKkho", "5A|ep861aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("facebook-other-token", &["EAA"], &[Run(ALNUM, 100, 400)]).proven(is_mixed)
        .with(&["EA|AlVtlcZRNlOWexUUKhOcyAh2ROSoqfX131ySZnyWEa1l7u91cVkyUoWCrkeD2fq6hK0fKVVPK12WCGDaDAClOYvLC8irC5F43wXbt"], &["EA|AMDN79QJ8UHWokQTC9n2rx6VsJfu8d7YQW71iY1ePr9DbtE03nO", "zEA|AawCBdnbPMNMIIeFJCHftioJjKEqxELRrmMBqxVn8MGVyZOHN6WtYuwarwOiil6gRP8yW6HZ2IFvxudphy3utKaBtyJXnC295ftEd", "EA|Aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("openai-other-key", &["sk-org-", "sk-live-", "sk-prod-", "sk-usr-"], &[Run(URL64, 32, 200)]).proven(has_digits_and_letters)
        .with(&["sk|-org-gL_BPZl0h-nsVmFkfARTjq3u4gkQ_wF0", "sk|-live-HhD6OQk3LmJgRFTnDOvW7eXIADnmj7LI", "sk|-prod-9VXGJLDQl_o_zZAfceo6pfS8jBjdpaCr"], &["sk|-org-zaFbt5YOkQee24ed", "zsk|-org-C5L981Ca4k3lmboOMABqfoKZ1j8iRudF", "sk|-org-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("litellm-key", &["sk-"], &[Run(URL64, 22, 22)]).proven(is_mixed)
        .with(&["sk|-yxTvtVu9B_cp22l40DnOeh"], &["sk|-cLhPZ0i9_Re", "zsk|-7uiDducSc8WoXpCET03im8", "sk|-aaaaaaaaaaaaaaaaaaaaaa"]),
    token("vault-batch-token", &["b.AAAAA"], &[Run(URL64, 60, 300)]).proven(is_mixed)
        .with(&["b.|AAAAA26H7OZ8hXy4rbIzX96VuXwA2AVdG-H5LEvLq6V6k-Zd59ZRlvRw0_0GagA_G"], &["b.|AAAAAq7Sro6zW0aHacK7_Pq74cVICRj1dYL", "zb.|AAAAAvj4POyO1Sw_UG10ZNG94XimmJ1mvMGsJ6VewYY2lAbfiCq4SLwkHw8W8MIo-", "b.|AAAAAaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("new-relic-license-key", &["FFFFNRAL"], &[]).after(HEX, 28, 36)
        .with(&["c4|423a41809be741b5f13737241970a952cfFFFFNRAL"], &["c4|423aFFFFNRAL"]),
    token("rapidapi-key", &["msh"], &[Run(LOWER_ALNUM, 15, 15), Text("p1"), Run(HEX, 6, 6), Text("jsn"), Run(HEX, 12, 12)]).after(LOWER_ALNUM, 10, 10)
        .with(&["7v|76g9a930mshqg6nb6zo5y5h6nlp14a08e5jsnd5331b9ded55"], &["7v|76g9a930mshqg6nb6zo5y5h6n", "the mesh|qg6nb6zo5y5h6nlp14a08e5jsnd5331b9ded55"]),
];
