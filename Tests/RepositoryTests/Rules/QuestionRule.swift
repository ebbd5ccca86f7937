import Foundation

/// Each family of questions to a C library stands in one file, where the condition of each question is said.
enum QuestionRule {
    /// Functions that ask a library about a state, and the only file that may call them.
    struct Family {
        /// The path of the file below `Sources`.
        let file: String
        /// The beginnings of the functions' names; the longest one in all families decides.
        let prefixes: [String]
        /// Whether all functions with these beginnings ask, except orders.
        var exceptsOrders = false
    }

    static let families = [
        Family(
            file: "PinholeCrypto/Core/OpenSSLQuestions.swift",
            prefixes: [
                "SSL_get", "SSL_is_", "SSL_session_", "SSL_pending", "SSL_version", "SSL_rstate", "SSL_state",
                "SSL_export", "SSL_in_", "SSL_CIPHER_", "SSL_SESSION_get", "SSL_SESSION_is",
                "SSL_SESSION_has",
            ]
        ),
        Family(
            file: "PinholeCrypto/Core/CertificateQuestions.swift",
            prefixes: ["X509_", "X509V3_"],
            exceptsOrders: true
        ),
        Family(
            file: "PinholeCrypto/Core/VerificationQuestions.swift",
            prefixes: ["X509_STORE_", "X509_CRL_", "X509_REVOKED_", "X509_verify_cert", "OCSP_"],
            exceptsOrders: true
        ),
        Family(
            file: "PinholeHTTP2/Core/HTTP2SessionQuestions.swift",
            prefixes: [
                "nghttp2_session_get_", "nghttp2_session_want_", "nghttp2_session_find_",
                "nghttp2_session_check_", "nghttp2_stream_",
            ]
        ),
        Family(
            file: "PinholeStore/SQLite/Statement.swift",
            prefixes: [
                "sqlite3_column_", "sqlite3_stmt_", "sqlite3_bind_parameter_", "sqlite3_db_handle",
                "sqlite3_data_count",
            ]
        ),
        Family(
            file: "PinholeStore/SQLite/DatabaseError.swift",
            prefixes: ["sqlite3_err", "sqlite3_extended_err"]
        ),
        Family(
            file: "PinholeStore/SQLite/Database.swift",
            prefixes: [
                "sqlite3_changes", "sqlite3_total_changes", "sqlite3_last_insert_rowid",
                "sqlite3_get_autocommit",
            ]
        ),
        Family(
            file: "PinholeStore/Reader/Filter/FilterFunctions.swift",
            prefixes: [
                "sqlite3_value_", "sqlite3_get_auxdata", "sqlite3_user_data", "sqlite3_context_db_handle",
            ]
        ),
    ]

    /// The verbs of OpenSSL's functions that make, change or free an object.
    private static let orders: Set = [
        "new", "free", "up", "add", "add0", "add1", "set", "set0", "set1", "create", "sign", "delete",
    ]

    /// The functions that ask nothing, although their names begin with no order.
    private static let others: Set = ["OCSP_cert_id_new", "X509_verify_cert_error_string"]

    /// The questions of `file` that another file has to ask.
    static func findings(in file: SourceFile) -> [Finding] {
        questions(in: file).filter { "Sources/\($0.family.file)" != file.path }.map { line, name, family in
            Finding(file, line: line, "\(name) is called in \(family.file) alone, beside its condition")
        }
    }

    /// The questions of `file` to libraries, with their lines and families.
    static func questions(in file: SourceFile) -> [(line: Int, name: String, family: Family)] {
        file.lines.enumerated().flatMap { line, text in
            names(in: text).compactMap { name in family(of: name).map { (line, name, $0) } }
        }
    }

    /// The family of a function; `nil` if the function asks nothing.
    private static func family(of name: String) -> Family? {
        let matches = families.flatMap { family in
            family.prefixes.filter(name.hasPrefix).map { (family: family, length: $0.utf8.count) }
        }
        guard let family = matches.max(by: { $0.length < $1.length })?.family else { return nil }
        guard family.exceptsOrders else { return family }
        // Constants have no small letter, and `X509_STORE_CTX_get0_chain` has the verb `get0`.
        let verb = name.split(separator: "_").first { $0.first?.isLowercase == true }
        guard let verb, !orders.contains(String(verb)), !others.contains(name) else { return nil }
        return family
    }

    /// The names of a library in a line, without its comment and without the beginning of our wrappers.
    private static func names(in line: String) -> [String] {
        guard line.contains("_") else { return [] }
        let code = line.range(of: "//").map { line[..<$0.lowerBound] } ?? line[...]
        let words = code.split { !($0.isLetter || $0.isNumber || $0 == "_") }
        let wrapper = "pinhole_"
        return words.filter { $0.contains("_") }
            .map { String($0.hasPrefix(wrapper) ? $0.dropFirst(wrapper.count) : $0) }
    }
}
