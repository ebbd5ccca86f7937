package import PinholeModel

extension ClientHelloRecord {
    /// A short text by which the same client is recognised: 16 hexadecimal digits.
    ///
    /// It covers versions, cipher suites, groups, signature schemes, protocols and the set of extensions,
    /// in JA3's manner. Extensions count without their order, since browsers permute them, and without
    /// those that come and go with the host or the session (server_name, padding, pre_shared_key,
    /// early_data, cookie). It is a hash for recognition (FNV-1a), not for security.
    package var fingerprint: String {
        let volatile: Set<UInt16> = [0, 21, 41, 42, 44]
        let lists = [
            versions, cipherSuites, extensions.filter { !volatile.contains($0) }.sorted(), groups,
            signatureSchemes,
        ]
        let text =
            lists.map { $0.map { String($0) }.joined(separator: "-") }.joined(separator: ",")
            + "," + applicationProtocols.joined(separator: "-")
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
