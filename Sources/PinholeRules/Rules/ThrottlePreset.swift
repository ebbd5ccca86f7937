/// The connections that browsers' developer tools imitate, with the names used there.
package enum ThrottlePreset: String, Sendable, CaseIterable {
    /// “3G” of Chrome, formerly “Slow 3G”.
    case chrome3G = "3G"
    /// “Slow 4G” of Chrome, formerly “Fast 3G”.
    case chromeSlow4G = "Slow 4G"
    /// “Fast 4G” of Chrome.
    case chromeFast4G = "Fast 4G"
    /// “GPRS” of Firefox.
    case gprs = "GPRS"
    /// “Regular 2G” of Firefox.
    case regular2G = "Regular 2G"
    /// “Good 2G” of Firefox.
    case good2G = "Good 2G"
    /// “Regular 3G” of Firefox.
    case regular3G = "Regular 3G"
    /// “Good 3G” of Firefox.
    case good3G = "Good 3G"
    /// “Regular 4G/LTE” of Firefox.
    case regular4G = "Regular 4G/LTE"
    /// “DSL” of Firefox.
    case dsl = "DSL"
    /// “Wi-Fi” of Firefox.
    case wiFi = "Wi-Fi"

    /// The limits: kilobits per second down and up, and latency in milliseconds.
    private var numbers: (down: Int64, up: Int64, latency: Int64) {
        switch self {
        // Chrome reduces the rates by a tenth or a fifth and multiplies the latency, since it delays requests
        // and not packets. Pinhole does the same.
        case .chrome3G: (400, 400, 2000)
        case .chromeSlow4G: (1440, 675, 563)
        case .chromeFast4G: (8100, 1350, 165)
        case .gprs: (50, 20, 500)
        case .regular2G: (250, 50, 300)
        case .good2G: (450, 150, 150)
        case .regular3G: (750, 250, 100)
        case .good3G: (1500, 750, 40)
        case .regular4G: (4000, 3000, 20)
        case .dsl: (2000, 1000, 5)
        case .wiFi: (30_000, 15_000, 2)
        }
    }

    /// The limits as a throttling.
    package var throttling: Throttling {
        var throttling = Throttling()
        throttling.down = numbers.down * 1000
        throttling.up = numbers.up * 1000
        throttling.latency = .milliseconds(numbers.latency)
        return throttling
    }
}
