package import PinholeModel

extension HostPattern {
    /// Whether the pattern matches a single host, at one port or at all ports.
    package var isOneHost: Bool { !hostText.contains("*") }
}
