import CLinux
import Dispatch
import Glibc
import PinholeLock
package import PinholeModel

/// Resolves names outside of the loops, and caches the answers for a short time.
package final class Resolver: Sendable {
    /// An answer: the addresses in the order in which to try them, or the reason why there is none.
    package typealias Answer = Result<[IPAddress], ResolutionFailure>

    private struct State {
        var cache: [String: (answer: Answer, expires: Timestamp)] = [:]
        var waiting: [String: [@Sendable (Answer) -> Void]] = [:]
    }

    private let overrides: [Override]
    private let lifetime: Duration
    private let clock: LoopClock
    private let state = Lock(State())
    // Look-ups block their thread. Dispatch opens as many threads as needed, so a slow name delays no other.
    private let queue = DispatchQueue(label: "pinhole.resolver", attributes: .concurrent)

    /// Creates a resolver.
    ///
    /// - Parameters:
    ///   - overrides: Fixed answers (`--resolve`).
    ///   - lifetime: The time for which an answer is reused.
    ///   - clock: The source of the time.
    package init(overrides: [Override], lifetime: Duration, clock: LoopClock) {
        self.overrides = overrides
        self.lifetime = lifetime
        self.clock = clock
    }

    /// Resolves the host of `authority`.
    ///
    /// - Parameters:
    ///   - authority: The server; the port matters only for overrides.
    ///   - completion: Receives the answer, either at once or later on another thread.
    package func resolve(_ authority: Authority, _ completion: @escaping @Sendable (Answer) -> Void) {
        if let override = Override.chosen(among: overrides, for: authority) {
            return completion(.success(override.addresses))
        }
        guard let name = authority.host.name else {
            return completion(.success(authority.host.address.map { [$0] } ?? []))
        }
        let now = clock.now()
        let known = state.withLock { state -> Answer? in
            if let entry = state.cache[name], entry.expires > now { return entry.answer }
            state.waiting[name, default: []].append(completion)
            if state.waiting[name]?.count == 1 { lookUp(name) }
            return nil
        }
        if let known { completion(known) }
    }

    private func lookUp(_ name: String) {
        queue.async { [self] in
            let answer = Self.ask(name)
            let waiting = state.withLock { state in
                // A failure is cached for only a second, since users retry after they have solved the problem.
                let failed = (try? answer.get()) == nil
                if state.cache.count >= 1000 { state.cache.removeAll() }
                state.cache[name] = (answer, clock.now() + (failed ? .seconds(1) : lifetime))
                return state.waiting.removeValue(forKey: name) ?? []
            }
            for completion in waiting { completion(answer) }
        }
    }

    /// Asks the system, which sorts addresses by RFC 6724.
    private static func ask(_ name: String) -> Answer {
        // RFC 6761 §6.3: names below localhost are loopback addresses and need no look-up.
        if name == "localhost" || name.hasSuffix(".localhost") {
            return .success(["127.0.0.1", "::1"].compactMap { IPAddress($0) })
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_ADDRCONFIG
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, nil, &hints, &list)
        guard code == 0 else { return .failure(ResolutionFailure(name, String(cString: gai_strerror(code)))) }
        defer { freeaddrinfo(list) }
        let addresses = sequence(first: list, next: { $0?.pointee.ai_next })
            .compactMap { $0?.pointee.ai_addr }
            .compactMap { SocketAddress(UnsafePointer($0))?.address }
        guard !addresses.isEmpty else { return .failure(ResolutionFailure(name, "the name has no address")) }
        return .success(interleaved(addresses))
    }

    /// Alternates the address families, starting with the family of the first address (RFC 8305 §4).
    static func interleaved(_ addresses: [IPAddress]) -> [IPAddress] {
        guard let first = addresses.first else { return [] }
        let same = addresses.filter { $0.isVersion6 == first.isVersion6 }
        let other = addresses.filter { $0.isVersion6 != first.isVersion6 }
        return (0..<max(same.count, other.count)).flatMap { index in
            [same, other].compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
    }
}

extension Resolver {
    /// A fixed answer, like curl's `--resolve HOST:PORT:ADDR[,ADDR]`.
    package struct Override: Sendable, Equatable, CustomStringConvertible {
        private let host: Host?
        private let port: UInt16?
        /// The addresses of the answer.
        package let addresses: [IPAddress]

        /// Parses `HOST:PORT:ADDR[,ADDR…]`.
        ///
        /// `*` stands for any host or any port; brackets around IPv6 are optional.
        ///
        /// - Parameter text: The override.
        /// - Throws: ``AddressFailure`` that says which part is wrong.
        package init(_ text: String) throws(AddressFailure) {
            guard let (name, rest) = Self.cut(text[...]), let (digits, list) = Self.cut(rest) else {
                throw AddressFailure(text, expected: "HOST:PORT:ADDRESS, such as example.com:443:127.0.0.1")
            }
            host = name == "*" ? nil : try Host(name)
            port = digits == "*" ? nil : UInt16(digits)
            guard digits == "*" || (port ?? 0) > 0 else {
                throw AddressFailure(text, expected: "a port of 1 to 65535 (or *) after the host")
            }
            var addresses: [IPAddress] = []
            for part in list.split(separator: ",", omittingEmptySubsequences: false) {
                let bare = part.hasPrefix("[") && part.hasSuffix("]") ? part.dropFirst().dropLast() : part
                guard let address = IPAddress(bare) else {
                    throw AddressFailure(text, expected: "an IP address in place of “\(part)”")
                }
                addresses.append(address)
            }
            self.addresses = addresses
        }

        /// The override in its notation.
        package var description: String {
            let addresses = addresses.map(\.description).joined(separator: ",")
            return "\(host?.description ?? "*"):\(port.map(String.init) ?? "*"):\(addresses)"
        }

        /// Chooses the override for `authority`: the most specific one, and among equals the last one.
        ///
        /// A host is more specific than a port. Flags come after the entries of the file, so flags win.
        package static func chosen(among overrides: [Override], for authority: Authority) -> Override? {
            let fitting = overrides.filter { $0.matches(authority) }
            let most = fitting.map(\.specificity).max()
            return fitting.last { $0.specificity == most }
        }

        private var specificity: Int { (host == nil ? 0 : 2) + (port == nil ? 0 : 1) }

        /// Whether the override answers for `authority`.
        package func matches(_ authority: Authority) -> Bool {
            (host == nil || host == authority.host) && (port == nil || port == authority.port)
        }

        /// Cuts the text at the first colon outside of brackets.
        private static func cut(_ text: Substring) -> (Substring, Substring)? {
            let start = text.hasPrefix("[") ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
            guard let colon = text[start...].firstIndex(of: ":") else { return nil }
            return (text[..<colon], text[text.index(after: colon)...])
        }
    }
}

/// The reason why a name has no address.
package struct ResolutionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The host name that was asked for.
    package let name: String
    /// The system's error message.
    package let reason: String

    init(_ name: String, _ reason: String) {
        self.name = name
        self.reason = reason
    }

    /// A sentence with the name and the reason.
    package var description: String { "\(name) cannot be resolved: \(reason)" }
}
