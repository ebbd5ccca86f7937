import PinholeRuntime

extension ClientURL {
    /// Parses an absolute URL whose host may be an internationalised name.
    ///
    /// - Throws: ``ClientFailure`` as for one in ASCII.
    package init(international text: String) throws(ClientFailure) {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }), let start = text.firstRange(of: "://") else {
            try self.init(text)
            return
        }
        let host = text[start.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        try self.init(
            text[..<start.upperBound] + InternationalName.ascii(String(host)) + text[host.endIndex...]
        )
    }
}
