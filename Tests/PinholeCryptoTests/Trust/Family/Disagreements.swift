/// Where programs that others wrote differ from us, by factor; docs/TRUST.md says why, and who is right.
enum Disagreements {
    /// The factors in which `judge` says another thing than we do.
    static func factors(of judge: ForeignJudge) -> Set<String> {
        switch judge {
        case .openssl: []
        case .gnutls: []
        case .curl: []
        }
    }
}
