/// A kind of client of the proxy, as users tell clients apart.
package enum ClientKind: String, Sendable, Hashable, Codable, CaseIterable {
    /// A program of this machine that is no browser.
    case terminal
    /// Chromium and the browsers that are made from it.
    case chromium
    case firefox
    case node
    case java
    case python
    case go
    /// A program in a container of this machine.
    case docker
    case android
    case ios
    /// A program of another machine that is no phone.
    case computer
}

/// The place from which a client connects.
package enum ClientOrigin: Sendable, Hashable {
    /// This machine.
    case machine
    /// A container of this machine.
    case container
    /// Another machine.
    case elsewhere
}

extension ClientKind {
    /// Returns the kinds of client that a connection may come from.
    ///
    /// A program in Python on this machine is of two kinds: it is a program of this machine, and it is in Python.
    ///
    /// - Parameters:
    ///   - agent: The User-Agent field of a request; `nil` if no request came.
    ///   - program: The name of the process; `nil` if it is not known.
    ///   - origin: The place from which the client connects.
    /// - Returns: The kinds; all that connect from another machine if nothing else is known of a client there, and none
    ///   for requests of Pinhole itself.
    package static func kinds(agent: String?, program: String?, from origin: ClientOrigin) -> [ClientKind] {
        // The console composes requests, and “pinhole browser” asks for the CA before it opens a browser.
        if agent == "pinhole" || program == "pinhole" { return [] }
        let found = agent.flatMap { kind(ofAgent: $0, from: origin) } ?? program.flatMap(kind(ofProgram:))
        if let found, [.android, .ios].contains(found) { return [found] }
        let own = found.map { [$0] } ?? []
        switch origin {
        case .machine: return found == .chromium || found == .firefox ? own : [.terminal] + own
        case .container: return [.docker] + own
        case .elsewhere:
            guard agent != nil else { return [.android, .ios, .computer] }
            return [.computer] + own
        }
    }

    /// Returns the kind that names itself in a User-Agent field; `nil` if the field names none.
    private static func kind(ofAgent agent: String, from origin: ClientOrigin) -> ClientKind? {
        let lower = agent.lowercased()
        func has(_ words: String...) -> Bool { words.contains { lower.firstRange(of: $0) != nil } }
        func begins(_ words: String...) -> Bool { words.contains { lower.hasPrefix($0) } }
        // Browsers name the system they run on, and Chrome on Android names both.
        if has("android", "dalvik/") { return .android }
        if has("iphone", "ipad", "ipod") { return .ios }
        if has("firefox/") { return .firefox }
        if has("chrome/", "chromium/") { return .chromium }
        // OkHttp is the usual client of Android apps, and also a library for Java.
        if begins("okhttp/") { return origin == .elsewhere ? .android : .java }
        if has("cfnetwork/") { return origin == .elsewhere ? .ios : nil }
        if begins("node", "undici", "axios/", "got ", "npm/") { return .node }
        if begins("java/", "java-http-client/", "apache-httpclient/") { return .java }
        if begins("python", "aiohttp/", "pip/", "urllib3/") || has("python/") { return .python }
        if begins("go-http-client/") { return .go }
        return nil
    }

    /// Returns the kind of a program by the name of its process; `nil` if the name tells none.
    private static func kind(ofProgram name: String) -> ClientKind? {
        let kinds: [(beginnings: [String], kind: ClientKind)] = [
            // The server of adb makes the connections of “adb reverse”, and the emulator those of its device.
            (["adb", "qemu-system", "emulator"], .android),
            (["chrom", "google-chrome", "brave", "msedge"], .chromium), (["firefox"], .firefox),
            (["node", "npm", "npx"], .node), (["java", "jshell"], .java), (["python", "pip"], .python),
        ]
        return kinds.first { $0.beginnings.contains(where: name.hasPrefix) }?.kind
    }
}
