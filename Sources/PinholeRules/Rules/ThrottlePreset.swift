/// Connections that browsers' tools imitate, by the names that they have there.
package enum ThrottlePreset: String, Sendable, CaseIterable {
    /// Chrome; it was called Slow 3G before.
    case chrome3G = "3G"
    /// Chrome; it was called Fast 3G before.
    case chromeSlow4G = "Slow 4G"
    /// Chrome.
    case chromeFast4G = "Fast 4G"
    /// Firefox.
    case gprs = "GPRS"
    /// Firefox.
    case regular2G = "Regular 2G"
    /// Firefox.
    case good2G = "Good 2G"
    /// Firefox.
    case regular3G = "Regular 3G"
    /// Firefox.
    case good3G = "Good 3G"
    /// Firefox.
    case regular4G = "Regular 4G/LTE"
    /// Firefox.
    case dsl = "DSL"
    /// Firefox.
    case wiFi = "Wi-Fi"

    /// The numbers: kilobits per second down and up, milliseconds.
    private var numbers: (down: Int64, up: Int64, latency: Int64) {
        switch self {
        // Chrome takes a tenth or a fifth off the rates, and a multiple of the latency, since it delays requests
        // and not packets; so do we.
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

    /// What it means.
    package var throttling: Throttling {
        var throttling = Throttling()
        throttling.down = numbers.down * 1000
        throttling.up = numbers.up * 1000
        throttling.latency = .milliseconds(numbers.latency)
        return throttling
    }
}
