//! Model providers and tools for agents, beyond `models`.

use crate::check::is_mixed;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, HEX, UPPER_ALNUM, URL64, WORD};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("firecrawl-key", &["fc-"], &[Run(HEX, 32, 32)]).with(
        &["fc|-1a75c98c070e44a58131d962bf403348"],
        &[
            "fc|-0705d19c432d0fc2",
            "zfc|-c2ecd800ea542134d2d377dbede2867a",
            "fc|-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("elevenlabs-key", &["sk_"], &[Run(HEX, 48, 64)]).with(
        &["sk|_99e2656075f7274fa37c3e6fcb8b05445d21b6c9948c738c"],
        &[
            "sk|_073fe7f5f927ffc106dfab57",
            "zsk|_ac40c07807c51a5f216b58f2e0939c2aeb522bcb5e585229",
            "sk|_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("voyage-key", &["pa-"], &[Run(URL64, 43, 43)]).proven(is_mixed).with(
        &["pa|-APcyg2pctJJSv8Z9GIuFdJgyPKKGLIKliHNtZbVDV1P"],
        &[
            "pa|-CezhLVcw_1l8gpZ6klclB",
            "zpa|-PIetlZXT8zVluLAxII-_lFCudklIPFwqGsvSa_kkjoj",
            "pa|-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token(
        "langfuse-key",
        &["sk-lf-"],
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
        &["sk|-lf-268b7245-65e8-b69d-bbec-a430e49dfe47"],
        &[
            "sk|-lf-9b29-a6-d2-3d-7c4306",
            "zsk|-lf-cac7de91-5965-fac1-ed84-bd37f0264911",
            "sk|-lf-aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaaa",
        ],
    ),
    token("helicone-key", &["sk-helicone-"], &[Run(URL64, 24, 60)])
        .proven(has_digits_and_letters)
        .with(
            &["sk|-helicone-O7RGPVDiAdb3Zbk6qau-Ygn9"],
            &[
                "sk|-helicone-17yAxnXruglc",
                "zsk|-helicone-PpZQjHHhxSJ5p75SEL4aie3M",
                "sk|-helicone-aaaaaaaaaaaaaaaaaaaaaaaa",
            ],
        ),
    token("openai-session", &["sess-"], &[Run(ALNUM, 40, 40)]).proven(is_mixed).with(
        &["se|ss-EGHAvmq6bO66SIqaWUSLOWCN3j7qWNloCPPX8kGm"],
        &[
            "se|ss-cOejrjROnCWgPqsRHo1D",
            "zse|ss-5lW19PvMOCZt7XYVM83AdgBHoRY6RWJU292NRrXL",
            "se|ss-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("cursor-key", &["key_"], &[Run(HEX, 64, 64)]).with(
        &["ke|y_4b08eaa66a2b76146c8a6b5c29ef80c1b3ed02c1392428666dfe3838747dbf64"],
        &[
            "ke|y_6682cb0c6b2021d6eb785fcc6d29d80d",
            "zke|y_ac3c7e71ceb245427aaed7b54e0d869c09d7dd9072646cd5e5953bc6fe400395",
            "ke|y_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("modal-key", &["ak-", "as-"], &[Run(ALNUM, 22, 22)]).proven(is_mixed).with(
        &["ak|-MjNFyNSho3CKy756DzdrNF", "as|-BMhUkGG6DC2feTCDonNg08"],
        &["ak|-fah55aLA7Es", "zak|-6lpORJY2dLfvRgkY78iuJH", "ak|-aaaaaaaaaaaaaaaaaaaaaa"],
    ),
    token("runpod-key", &["rpa_"], &[Run(UPPER_ALNUM, 36, 60)])
        .proven(has_digits_and_letters)
        .with(
            &["rp|a_8YOS44SYXQSNYW25RFYB3EQFBAD8DOIBP6DQ"],
            &[
                "rp|a_1HY0XNH6HLVTV3SBLD",
                "zrp|a_94XUXFGZSYNCD2WH9LVTCWG0YCIF8QLGCSUL",
                "rp|a_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            ],
        ),
    token("cartesia-key", &["sk_car_"], &[Run(ALNUM, 20, 40)]).proven(is_mixed).with(
        &["sk|_car_v6dGlZ1Jf9Y9RNevdt0o"],
        &["sk|_car_ZNhAkIN8H7", "zsk|_car_CoQFIAFycoZo4NIdmBlD", "sk|_car_aaaaaaaaaaaaaaaaaaaa"],
    ),
    token("browserbase-key", &["bb_live_", "bb_test_"], &[Run(URL64, 20, 48)])
        .proven(is_mixed)
        .with(
            &["bb|_live_LGkuuw7I-C0Wp2lGIRPN", "bb|_test_tMne7oQYBBQLTNEIdLYs"],
            &[
                "bb|_live_lQA2vsJ29q",
                "zbb|_live_Mf1tndw2sjdMZz5y6BHZ",
                "bb|_live_aaaaaaaaaaaaaaaaaaaa",
            ],
        ),
    token("apify-token", &["apify_api_"], &[Run(ALNUM, 34, 44)]).with(
        &["ap|ify_api_Ibuk0RPIatAykE60trRKPYfdfoOWped8VO"],
        &[
            "ap|ify_api_xjgOTyiEtnq030FD7",
            "zap|ify_api_9YGJt9CIM12S2eAXCyxhTD73qzOtuI9K76",
            "ap|ify_api_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("mem0-key", &["m0-"], &[Run(ALNUM, 40, 40)]).proven(is_mixed).with(
        &["m0|-HkelUqF2LP1htdaNq9A7OD2iZVdtF4zGis5e0r0s"],
        &[
            "m0|-3WG2VPAC1RtcG9I8Nprn",
            "zm0|-bsChhHHuaKHhnA8zC8o3Q1iHHRCs8HV62bdMGQs0",
            "m0|-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("n8n-key", &["n8n_api_"], &[Run(ALNUM, 40, 80)]).with(
        &["n8|n_api_v3m3y6V7Vk5XXTr5mxFWMaAy0opCfCGtisd3NrXX"],
        &[
            "n8|n_api_FF3wWyp5jjlPSxxMCCI8",
            "zn8|n_api_RHFlwDnMI6ftwgADe2MbL6nFzECNMVcPd72NlujA",
            "n8|n_api_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("brave-search-key", &["BSA"], &[Run(URL64, 27, 28)]).proven(is_mixed).with(
        &["BS|AuXMVLeGUUAKcOyeOymBRdpB6C9H"],
        &[
            "BS|AOqRVL0BacMP0D",
            "zBS|As3t-59e9a0yCRGpgbNJRfqiBvDn",
            "BS|Aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("lambda-cloud-key", &["secret_"], &[Run(WORD, 24, 64), Text("."), Run(ALNUM, 32, 32)])
        .proven(is_mixed)
        .with(
            &["se|cret_lhsc7jL9hwoX1F7KTg5YYxpi.0unfEtoPWmkQNWPZNBHGPbqCvjoHJdKy"],
            &[
                "se|cret_OA3MzU30kuE7.ELq9y6UAFvPa1B8N",
                "zse|cret_Qg1KgqKwgIYlTOVrk0LtisUd.phbp2SnUiBoAXwfmY9wjIB6bAInFRfpG",
                "se|cret_aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
            ],
        ),
    token("anyscale-key", &["esecret_"], &[Run(ALNUM, 24, 40)]).proven(is_mixed).with(
        &["es|ecret_JS9J7uyQ8Fq3u7H4MQks2fYb"],
        &[
            "es|ecret_E3HlgsRok5yO",
            "zes|ecret_qcjDpOAOjiZco8knvshSxPcq",
            "es|ecret_aaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("openpipe-key", &["opk_"], &[Run(HEX, 42, 50)]).with(
        &["op|k_55f9d52a77d3fda0d730ccccb87dac4286e2edb605"],
        &[
            "op|k_68091a351539a9fa394d4",
            "zop|k_460de4f2dbaa052359ee5e02a3c97279aab93b49cc",
            "op|k_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("deno-deploy-token", &["ddp_", "ddo_"], &[Run(ALNUM, 36, 36)]).with(
        &["dd|p_cthcAdCMzlmAi4WdJtLhUvzDcJHifno4L7je", "dd|o_vwgCX8Xo1wapg6lDLIyehq1a9FysmXxYGsPW"],
        &[
            "dd|p_30sF0PHZ89pqYcrlSu",
            "zdd|p_i26rNIHjYpxitXp5hxgvJMROgJ9uFniXwqKl",
            "dd|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
    token("voiceflow-key", &["VF.DM."], &[Run(HEX, 24, 24), Text("."), Run(ALNUM, 16, 16)]).with(
        &["VF|.DM.2075e78f3cc0e54503d63d46.z7Na8ukOVpd03OoY"],
        &[
            "VF|.DM.3a48ae2d7fc6.xOl1Hmlw",
            "zVF|.DM.fe76d56f95632ab1e08588a8.O81JfIU5GrYGiPVz",
            "VF|.DM.aaaaaaaaaaaaaaaaaaaaaaaa.aaaaaaaaaaaaaaaa",
        ],
    ),
    token("private-ai-key", &["pai_live_", "pai_test_"], &[Run(ALNUM, 32, 48)]).with(
        &[
            "pa|i_live_E2QQxXvycnNU7XyjObwyNU4i83R1Pd9j",
            "pa|i_test_puoBDfC7Sn3pYeax9mjtX3wJnCDpXIwP",
        ],
        &[
            "pa|i_live_emPUnh6Eru9ilSVJ",
            "zpa|i_live_M7SD2Tkw5YHzQmo3mJCqgN3C5S7kwrJH",
            "pa|i_live_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ],
    ),
];
