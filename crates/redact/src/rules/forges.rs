//! Services that host, build and publish code.

use crate::check::is_jumbled;
use crate::contexts::has_digits_and_letters;
use crate::pattern::Part::{Run, Text};
use crate::pattern::{ALNUM, ANY64, DOTTED, HEX, LOWER_ALNUM, UPPER_ALNUM, URL64};
use crate::rule::{Rule, token};

/// One row per kind.
pub(crate) const ROWS: &[Rule] = &[
    token("github-token", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], &[Run(ALNUM, 36, 255)]).checksum().anywhere()
        .with(&["gh|p_4AKK3TuapFHTJfJFuIUuC97WvCo4IfPUe0pA", "gh|o_OLQeELLF2f6WcP02t3pfYXZeNH2XzEAWqg29", "gh|s_t1uMZ6MUJ6b9PxaDwk6wOZUoWU04S1zFQ5wz", "gh|r_DDCOPy4J3GyDitpG0zLd1bRwPRtd7JFLdGr7D5yxmH65KfSUS65nhjjMi9vCAlNc05427HINCdxo", "gh|p_abcabcabcabcabcabcabcabcabcabc1KXPvt", "z«gh|p_DYisgJ8gOjSm1ko6asaYFFXuMDRMMMkhPf0q»"], &["gh|p_abcabcabcabcabcabcabcabcabcabcabcabc", "gh|p_tqXDAFdWMKMO5W1R3JK1GH8SWrPU3b", "gh|p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx", "highs_c831e864ec8b45d48730d21e9e233c90cb4f2004", "highs_ofTheNorthAtlanticTideGaugesWithTheirNames"]),
    token("github-fine-grained-token", &["github_pat_"], &[Run(ALNUM, 22, 22), Text("_"), Run(ALNUM, 59, 59)]).anywhere()
        .with(&["gi|thub_pat_y1leyUmWQl0NNNfUlO5ya6_2QSkrEln4y7Ztadx3FGyfYWqXWxINZE5FddiMWU0JgrJ7YbDsDHaIYLiMpf", "z«gi|thub_pat_lgZ15ITdFgDZFFLB9F4C4I_pj44K4y04n49z7KvFwIUhWNsbV6gjpqIIbsKU6TXtlkRd1oROe6SdPmGlhD»"], &["gi|thub_pat_0Sc4V5aOGGB_jGgb29u6R3ogF5ABe34i0hSX8XZmn", "gi|thub_pat_aaaaaaaaaaaaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("gitlab-token", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-", "glagent-", "gloas-", "glsoat-", "glffct-"], &[Run(DOTTED, 20, 300)]).anywhere()
        .with(&["gl|pat-yKb8nOLgnnaxG7TfWOai", "gl|dt-MoXM1eFcUeMoSnfFVugT", "gl|rt-036GoRnfi1usv77tzJv5", "z«gl|pat-p7vuXbWers37c4hnsufX»"], &["gl|pat-lz34weuLdA", "gl|pat-aaaaaaaaaaaaaaaaaaaa"]),
    token("gitlab-runner-token", &["GR1348941"], &[Run(URL64, 20, 20)])
        .with(&["GR|1348941Me7T7ulErcaZxXWg9VEc"], &["GR|13489415Lnt2WaVr4", "zGR|1348941qzK8fYZwn13Y4t-hKiNF", "GR|1348941aaaaaaaaaaaaaaaaaaaa"]),
    token("bitbucket-password", &["ATBB"], &[Run(ALNUM, 32, 32)])
        .with(&["AT|BBis8RcjLkBcY4p1Ha0nYue4unwSYLvHdD"], &["AT|BBPgCtuzzJo8gfz7hZ", "zAT|BBVdcRucjOtheZMk2qblqGJ1AnNafQR09C", "A|TBBaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("atlassian-token", &["ATATT3", "ATCTT3"], &[Run(ANY64, 100, 250)]).anywhere()
        .with(&["AT|ATT3q9W8x8BkUM3aera5BQsOqgUAGeT9ZLhZYJq63rWQ6Z1Vi4iMZbT8q4xoSjPGFJwB7sfvGxBHPnVxZzcr4BVgAobTIZgFfqnZxgHQ", "AT|CTT34IL3DHudHkPW0sulHMJZFUbtZkOer5ZdyqpZ8VLenLJnoGvNn8eEdUh72w8UpDqF4uBtYlAymmJMrkbPuI1HHNapn7ZENiRzFdEf", "z«AT|ATT3JBZNcnNSjFgaQ4CtSGUNB2cV0CyqKzh14P0Rb5If0bebgVJOf1175X5c9ul4xmkiqLuTgl3X5gag54D3Ig8OTKllwv9cCXzP3M9R»"], &["AT|ATT3IroiJ1ejP4Pu64B9cOJsPtOQeD5QGuAr80cXBd6REtfMgwrxyl", "AT|ATT3aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("npm-token", &["npm_"], &[Run(ALNUM, 36, 36)]).checksum().anywhere()
        .with(&["np|m_K31eK1ewidEJItDcVbdjGVg8a3etNlQJJHZI", "np|m_abcabcabcabcabcabcabcabcabcabc1KXPvt", "z«np|m_OPjpkxKj3NCk5i3kwf9bXEUft1ck7OwJxTnH»"], &["np|m_abcabcabcabcabcabcabcabcabcabcabcabc", "np|m_config_registry"]),
    token("pypi-token", &["pypi-AgEIcHlwaS5vcmc", "pypi-AgENdGVzdC5weXBpLm9yZw"], &[Run(URL64, 50, 1000)]).anywhere()
        .with(&["py|pi-AgEIcHlwaS5vcmcYD9d8NTZ8wsVEZRLVE6dWbzh4g8X4C8HTaiOc64Ahd9EkQlumN", "py|pi-AgENdGVzdC5weXBpLm9yZwSHKfvWebxNYsnAXOpgo_dHv3wYjFEmHoR70tI1w54FtEyKCLJO", "z«py|pi-AgEIcHlwaS5vcmcMAet1Qv6ljDwFMTDhuH7ImEh6WHYXrHKv8cfF33tL98-6pXPDZ»"], &["py|pi-AgEIcHlwaS5vcmcMDYEIDJd8ZVR1tqqKKf4XT3gS", "py|pi-AgEIcHlwaS5vcmcaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("crates-io-token", &["cio"], &[Run(ALNUM, 32, 32)]).proven(has_digits_and_letters)
        .with(&["ci|o5bxiQwOLm6eOLCP3enUYLraoEJ4Xqckj"], &["ci|oabcdef", "ci|oaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "zci|olwKbvyMw0GT9CZoRzVOab1WFzUM7TAn3"]),
    token("docker-hub-token", &["dckr_pat_", "dckr_oat_"], &[Run(URL64, 27, 32)]).anywhere()
        .with(&["dc|kr_pat_7q2rXjrijU3ShxztRrX6b0Hluwt", "dc|kr_oat_mtmpeXryS6_0Ub8RiEWlrHQvptk", "z«dc|kr_pat_QJTCDkrVai0EfBnRZU_YzYpYilt»"], &["dc|kr_pat_9JN8PcJSGJOjX", "dc|kr_pat_aaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("rubygems-key", &["rubygems_"], &[Run(HEX, 48, 48)]).anywhere_if(is_jumbled)
        .with(&["ru|bygems_01fbcd9504bca7a5c59340afef8b0baf3a8c80bc2b08a9f5", "z«ru|bygems_c02661449771d833424d61fcd25491215310a53e5356b6b3»"], &["ru|bygems_dacd8e7f05554b1e1e0ee0ac", "ru|bygems_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("nuget-key", &["oy2"], &[Run(LOWER_ALNUM, 43, 43)]).entropy(35)
        .with(&["oy|2w93zx9vboa0ww0nqcoqluakochd0kkzglayvh5v29r5"], &["oy|2mofgw2su1552dtu5ilb87", "zoy|2qiwr0586oh7rsg5sn62vjd4ghndwwxrhtkpu729i3y8", "o|y2aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("clojars-token", &["CLOJARS_"], &[Run(LOWER_ALNUM, 60, 60)]).anywhere_if(is_jumbled)
        .with(&["CL|OJARS_bwglaaeuegg3eaj4oysd6quk3oetuxcgax7zkpa8uuvhn6zvlal6no78vilo", "z«CL|OJARS_zbk1kdt7itnnucybnccjif4q0dz4dww7f7i6c0h3r5hk0wqmyb0cbe6d7hwk»"], &["CL|OJARS_op14r7hw9rn113ryoannz8mngy9aa9", "CL|OJARS_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("jfrog-key", &["AKCp"], &[Run(ALNUM, 69, 69)])
        .with(&["AK|Cp97BOP7ajwAA6zvqtyM0K3fr8fXM0fVQmfN5RuBorluM2eGR3swfX2CXbc4g5NlM5lF5rM"], &["AK|CpHinlfhGGle2pqISr49543ycgWE6owHvgc6", "zAK|Cpj4wNXsfH9bjrkXW6JwrXaB2v7SLFLaQEO3iw2l36xLLJcwpaeGdrgGt5fVt0IeGp6cq5y", "A|KCpaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("artifactory-token", &["cmVmdGtu"], &[Run(ALNUM, 56, 56)])
        .with(&["cm|VmdGtuGXvAPsi4XBQVu894ur8GH1IbBK2OJOP47Pkf3eBYKhmaIRnqJQhassb0"], &["cm|VmdGtumwzBeDhGw8w1qrGCb2yih7NEJsNn", "zcm|VmdGtu85yKrTfEW9GTgJ77Po5Ge092Tm5TjBkSWLOzTXBsZFOYRAycjxduKl8n", "cm|VmdGtuaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("postman-key", &["PMAK-"], &[Run(HEX, 24, 24), Text("-"), Run(HEX, 34, 34)]).anywhere_if(is_jumbled)
        .with(&["PM|AK-f7c99c18fa6eb9eb2b67d8b0-81abd1d97aaf35f3b68f14ade9d4a455b8", "z«PM|AK-17a151dd64b338ec80cc5c0b-3aa41660793677fa31a2e376e9db073ac7»"], &["PM|AK-d7a7c198ffe0-1ce75fc538e29e602", "PM|AK-aaaaaaaaaaaaaaaaaaaaaaaa-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("circleci-token", &["CCIPAT_", "CCIPRJ_"], &[Run(ALNUM, 20, 24), Text("_"), Run(HEX, 40, 40)]).anywhere_if(is_jumbled)
        .with(&["CC|IPAT_5V5bn0rqwtiWImxnJa6w_f3b967cba892b3ba4a3a5d0b7c056ebc875e5b10", "CC|IPRJ_oeUZkHpH2vyuPcyb4FbI_5845a94f3489967ea4bfe513214825007e2e756a", "z«CC|IPAT_VElC18ln4W41DK73aIiG_8926e8019792f4cece6788749c1736ebebf0bc65»"], &["CC|IPAT_mvKWGXpaxM_4d5f667b388b3f9c6ad0", "CC|IPAT_aaaaaaaaaaaaaaaaaaaa_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("buildkite-token", &["bkua_", "bkaj_", "bkat_"], &[Run(LOWER_ALNUM, 40, 60)])
        .with(&["bk|ua_jg8zz8ai6rtrrc69qbw9keroh96bcauycswv61cs", "bk|aj_26yrdjebmn6u4aj9gz633cfd5gg5gvbg0jtenfq7", "bk|at_e07l6sv1edm2koqypejq4wsrxuhbqqd3zdtfzw75"], &["bk|ua_bpwq77xtjvso6reockuo", "zbk|ua_nr00gvacu8jrd9p0i1oskxel4835i2ijya754j1n", "bk|ua_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("sonar-token", &["sqp_", "squ_", "sqa_"], &[Run(HEX, 40, 40)])
        .with(&["sq|p_c831e864ec8b45d48730d21e9e233c90cb4f2004", "sq|u_7226249de87a13d9133d268f95d09ea9823fa7b3", "sq|a_a99b7d87de86440285b86ce53935fd16ccd6b9cc"], &["sq|p_ce0ec037c8703ed27e96", "zsq|p_c6c4ae12725b8efa9b555246fa3447a99286c0d7", "s|qp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("sentry-org-token", &["sntrys_"], &[Run(ANY64, 60, 400)]).anywhere()
        .with(&["sn|trys_3nA2UR7MSB1EJBPUIvz9Qp9Vythmpac5JAONGElCrXcPiAHk3Xwnw62lgJLX", "z«sn|trys_YFgGhXrNxssttMAkW7IDbP7fLHHVJ8d8dvGlcYlKsuO2ERbQ3bs44s11UuLq»"], &["sn|trys_wZ5qeS8N3BqfljEvqp3FUw0k2COrce", "sn|trys_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("sourcegraph-token", &["sgp_"], &[Run(HEX, 40, 64)])
        .with(&["sg|p_a0031dffb3ca0c8d2fc3f3c3fd03f91d80f7bec3"], &["sg|p_0123", "sg|p_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("sourcegraph-access-token", &["sgp_"], &[Run(HEX, 16, 16), Text("_"), Run(HEX, 40, 40)])
        .with(&["sg|p_9f8e7d6c5b4a3928_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"], &["sg|p_9f8e7d6c5b4a3928", "zsg|p_9f8e7d6c5b4a3928_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"]),
    token("sourcegraph-local-token", &["sgp_local_"], &[Run(HEX, 40, 40)])
        .with(&["sg|p_local_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"], &["sg|p_local_9f8e7d6c5b4a3928", "zsg|p_local_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"]),
    token("e2b-key", &["e2b_"], &[Run(HEX, 40, 40)])
        .with(&["e2|b_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"], &["e2|b_sandbox", "ze2|b_9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c"]),
    token("age-key", &["AGE-SECRET-KEY-1"], &[Run(UPPER_ALNUM, 58, 58)]).anywhere_if(is_jumbled)
        .with(&["AG|E-SECRET-KEY-1I3LJYFP1RTZ9UJY2I09K3F1AGFOEXK96FSXOM9SBZIN1XHV37A0PZ4KL49", "z«AG|E-SECRET-KEY-1O8JY27TW9V7D9JE03G6BSXK8BKP9SHGYB8N9F17CJ0JK6ITYAS65MPBAD4»"], &["AG|E-SECRET-KEY-105P58FT3QS71PLCFRMTYN8O4IQII7", "AG|E-SECRET-KEY-1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("prefect-key", &["pnu_", "pnb_"], &[Run(ALNUM, 36, 36)])
        .with(&["pn|u_drksicTUEOujoDW5Y7s4AsTrgvgp6ewINFaw", "pn|b_rc0uUoRRZVloF7zEKL5XpG9jqw8iksRtiWTV"], &["pn|u_IPHK55EejocqnAGUHY", "zpn|u_NXBuDZD8bWgEwT1qJP1hSyQvnURTdrM1tqKc", "p|nu_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("1password-token", &["ops_eyJ"], &[Run(ANY64, 200, 2000)]).anywhere()
        .with(&["op|s_eyJtErno6e4jx7BLsMXqGmAqEafYEBwyrlgokvKs2vAwdG3Qa3mjO5UdfvNjsVyqy42K4bGdI5o9WxQLjn49zkFre725vk2TLpEKhnsehbtbaQMtYJVmMP8CJFPpMz4cjnHhyfEP6zloeDRk00sITrOEKnjveAJejdKEmzMuAmQIWo5T0AUM1ByIoENFkvdrOFzCMdv2uNU", "z«op|s_eyJdkuN0IgiGIM8EMsPKDGSdiyvCbKWcjpl16imWKcA9bqKi7nMB9Z6jgMwqhFUtYViMLHIWzlgGYZK0elekNcPrgVl1KRFji0wVZh8dn7Enl7wbrg5BXsvjnxxNQK2lqWDOgzbuvlW8fUgCI6fXfUf2cIxf8yHRvmTvnG3cGEerxuc2Jl25hm7v9wxUbZOE6xD9To8jdBM»"], &["op|s_eyJlu5XulOpdZNm1ZvVvccywY7IStNZLeCM6lZ96cOzKFknH5q6My2jXEoPPtuhPljQyR1cvb5dSmHBrcKY4ZG5xJSK2C81xXvsYCGQ", "op|s_eyJaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
    token("readme-key", &["rdme_"], &[Run(LOWER_ALNUM, 70, 70)])
        .with(&["rd|me_gh1qhx2h8tddf91h8vqn0rq3w6v2p8vvb9wp8wqhh5f7tn6wywbxd815leke73qb25uudq"], &["rd|me_so7ebn7mt93rd4su860qqfw7esldk5sbxl4", "zrd|me_jd9ztua2mzdl7ds67lxxz93h0vq38lrq4rfzxnxp9rgnj5s1k7pvsb7n2f093itk3ffsgu", "rd|me_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"]),
];
