package import PinholeModel

extension ClientHelloRecord {
    /// A short text by which the same client can be recognised: 16 hexadecimal digits.
    ///
    /// The fingerprint covers versions, cipher suites, groups, signature schemes, protocols and the set of
    /// extensions, like JA3. The order of extensions does not count, since browsers permute them. Extensions
    /// that depend on the host or the session are left out (server_name, padding, pre_shared_key, early_data,
    /// cookie). The hash (FNV-1a) is for recognition, not for security.
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
