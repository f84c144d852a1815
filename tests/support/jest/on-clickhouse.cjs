/** Setup of the jest project that runs the conformance tests on ClickHouse. */
process.env.LQE_TEST_STORE = 'clickhouse';
