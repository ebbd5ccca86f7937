import PinholeLock
import PinholeModel

/// Stand-in addresses for names.
///
/// Inside of a namespace, each name resolves to its own address, and the proxy finds the name again by that address.
final class NamePool: Sendable {
    private struct State {
        var numbers: [String: UInt32] = [:]
        var names: [String] = []
    }

    /// The first address, 198.18.0.2.
    ///
    /// 198.18.0.0/15 is reserved for network tests (RFC 2544), so no server has these addresses.
    private static let first: UInt32 = 0xc612_0002
    private let state = Lock(State())
    private let limit: Int

    /// Creates a pool.
    ///
    /// - Parameter limit: The number of names that get an address; 198.18.0.0/15 has room for 131,000.
    init(limit: Int = 131_000) { self.limit = limit }

    /// Returns the address that stands for `name`; `nil` if the pool is used up.
    func address(of name: String) -> IPAddress? {
        let number = state.withLock { state -> UInt32? in
            if let known = state.numbers[name] { return known }
            guard state.names.count < limit else { return nil }
            let number = Self.first + UInt32(state.names.count)
            state.names.append(name)
            state.numbers[name] = number
            return number
        }
        return number.flatMap { number in
            IPAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) })
        }
    }

    /// The name that `address` stands for; `nil` for any other address.
    func name(of address: IPAddress) -> String? {
        let bytes = address.unmapped.bytes
        guard bytes.count == 4 else { return nil }
        let number = bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        guard number >= Self.first else { return nil }
        let index = Int(number - Self.first)
        return state.withLock { $0.names.indices.contains(index) ? $0.names[index] : nil }
    }
}
