import Testing

@Suite("Questions to libraries")
struct QuestionTests {
    @Test("are asked in one file for each family")
    func questions() throws {
        let files = try Repository.swiftFiles(below: "Sources")
        #expect(files.flatMap(QuestionRule.findings) == [])
        for family in QuestionRule.families {
            let file = try #require(files.first { $0.path == "Sources/\(family.file)" })
            let asked = QuestionRule.questions(in: file).contains { $0.family.file == family.file }
            #expect(asked, "\(family.file) asks nothing of its family")
        }
    }

    @Test(
        "are seen in another file",
        arguments: [
            "let group = pinhole_SSL_get_negotiated_group_name(ssl)",
            "if SSL_get0_alpn_selected(ssl, &a, &b) {}",
            "guard SSL_SESSION_is_resumable(session) == 1 else { return }", "let name = SSL_version(ssl)",
            "return SSL_session_reused(ssl) == 1", "let key = X509_get0_pubkey(handle.pointer)",
            "pointers.map(X509_get_issuer_name)", "X509_STORE_CTX_get0_chain(context)",
            "X509_NAME_cmp(one, two) == 0", "X509_some_new_question(certificate)",
            "X509_verify_cert(context)",
            "X509_CRL_get_issuer(list)", "X509V3_EXT_print(bio, pointer, 0, 0)", "OCSP_resp_count(basic)",
            "OCSP_SINGLERESP_get_ext(single, 0)", "nghttp2_session_want_write(session)",
            "let id = sqlite3_column_int64(handle, 0) // a text becomes 0", "sqlite3_errmsg(connection)",
            "sqlite3_value_blob(value)", "Int(sqlite3_changes(handle))",
        ]
    )
    func seen(line: String) {
        let file = SourceFile(path: "Sources/PinholeCrypto/A.swift", text: line)
        #expect(QuestionRule.findings(in: file).count == 1)
    }

    @Test(
        "other calls pass",
        arguments: [
            "SSL_set_session(ssl, a) // SSL_get_a(", "X509_free(pointer)",
            "X509_STORE_CTX_set_error(context, e)",
            "X509_VERIFY_PARAM_set1_host(p, name, 0)",
            "X509_NAME_add_entry_by_NID(name, nid, 0, a, 1, -1, 0)",
            "case X509_V_ERR_CERT_HAS_EXPIRED: .expired", "X509_verify_cert_error_string(Int(error))",
            "OCSP_cert_id_new(EVP_sha256(), a, b, c)", "let handle: X509Handle", "sqlite3_step(handle)",
            "nghttp2_session_mem_send(session, &bytes)", "/// Unlike `sqlite3_column_int64`.",
        ]
    )
    func letBe(line: String) {
        let file = SourceFile(path: "Sources/PinholeCrypto/A.swift", text: line)
        #expect(QuestionRule.findings(in: file) == [])
    }
}
