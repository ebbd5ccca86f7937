package import PinholeModel
package import PinholePolicies
import PinholeRuntime
import PinholeTrust

extension LabPolicy {
    /// Makes the rows of a policy file: one for each group of pinned hosts that are treated alike.
    ///
    /// The first row has the name of the file, and tells all of its hosts (``LabPolicy/hosts``). The lab is made for the
    /// host of that row. The other rows are judged by the same servers.
    ///
    /// - Parameters:
    ///   - file: The document.
    ///   - name: The name of the first row.
    ///   - host: The only host to try; `nil` for all.
    ///   - server: The certificates of the real server; `nil` if they are not known.
    ///   - demands: The demands on hosts that have no pins.
    /// - Returns: The rows.
    /// - Throws: ``LabFailure`` when the host is an address.
    package static func rows(
        file: PolicyFile,
        name: String,
        host: Host? = nil,
        server: ServerPath? = nil,
        demands: HostDemands = HostDemands()
    ) throws(LabFailure) -> [LabPolicy] {
        guard !file.policies.isEmpty else { return [undecided(file, name)] }
        let main = host ?? file.pinnedHost(of: server) ?? LabWorld.standardHost
        let survey = HostSurvey(
            file,
            at: LoopClock().now(),
            hosts: (host.map { [$0] } ?? []) + demands.required,
            usual: main
        )
        let entries = survey.entries.filter { entry in
            host == nil || entry.host == host || demands.required.contains(entry.host)
        }
        var groups = RowGroups(file, name, main: main, server: server)
        for entry in entries.filter({ $0.host == main }) + entries { try groups.add(entry, demands) }
        return try groups.finished(host)
    }

    /// The row of a file that decides nothing, which has its questions and no cells.
    private static func undecided(_ file: PolicyFile, _ name: String) -> LabPolicy {
        var row = LabPolicy(name, "not proven", .own, group: .own) { _ throws(LabFailure) in
            throw LabFailure("\(name) decides nothing")
        }
        row.isUndecided = true
        row.digest = file.digest
        row.hosts = JudgedHost.questions(of: file, name)
        return row
    }
}

extension JudgedHost {
    /// The questions that a file leaves open.
    fileprivate static func questions(of file: PolicyFile, _ name: String) -> [JudgedHost] {
        file.findings.filter { $0.severity == .unproven }.map { finding in
            JudgedHost(
                name,
                "",
                .notProven,
                line: file.lines?.line(of: finding),
                sentence: "\(finding.sentence) \(finding.remedy)"
            )
        }
    }
}

/// The rows of a file and the hosts that each one judges.
private struct RowGroups {
    private let file: PolicyFile
    private let name: String
    private let main: Host
    private let server: ServerPath?
    private var rows: [LabPolicy] = []
    private var members: [(entry: HostSurvey.Entry, pins: [PinnedList], row: String)] = []
    private var hosts: [JudgedHost] = []
    private var known: Set<String> = []

    init(_ file: PolicyFile, _ name: String, main: Host, server: ServerPath?) {
        self.file = file
        self.name = name
        self.main = main
        self.server = server
    }

    /// Adds a host: to a row of hosts that are treated alike, to a row of its own, or without a row.
    mutating func add(_ entry: HostSurvey.Entry, _ demands: HostDemands) throws(LabFailure) {
        guard known.insert("\(entry.client) \(entry.title) \(entry.authority)").inserted else { return }
        guard entry.standing.protection == .pinned else {
            append(entry, demands)
            return
        }
        let lists = file.clients[entry.client].policy.pinnedLists(for: entry.host)
        let alike = members.first { member in
            member.entry.client == entry.client && member.entry.standing == entry.standing
                && (server == nil || member.pins == lists)
        }
        let row: String
        if let alike {
            row = alike.row
        } else {
            row = rows.isEmpty ? name : unusedName(for: entry)
            rows.append(try makeRow(entry, row))
        }
        members.append((entry, lists, row))
        hosts.append(JudgedHost(name, title(of: entry), .pinned, line: entry.line, row: row))
    }

    /// Returns the rows with their hosts; a file without a pin has one row for its host.
    mutating func finished(_ host: Host?) throws(LabFailure) -> [LabPolicy] {
        if rows.isEmpty {
            rows.append(try LabPolicy.own(file: file, name: name, host: host, server: server))
            // The row judges this host.
            for index in hosts.indices where hosts[index].title == main.description && !hosts[index].isFault {
                hosts[index].row = name
            }
        }
        rows[0].hosts = hosts + JudgedHost.questions(of: file, name)
        return rows
    }

    private mutating func append(_ entry: HostSurvey.Entry, _ demands: HostDemands) {
        let protection = entry.standing.protection
        guard protection != .refused || entry.isNamed || entry.title == HostSurvey.others else { return }
        let isRequired = demands.required.contains(entry.host) || demands.isStrict
        let isFault =
            switch protection {
            case .pinned, .refused: false
            case .anyName, .acceptsEverything: true
            case .notPinned: entry.opensPinnedHost || isRequired
            }
        hosts.append(
            JudgedHost(
                name,
                title(of: entry),
                JudgedHost.State(protection),
                line: entry.line,
                sentence: sentence(entry),
                isFault: isFault
            )
        )
    }

    private func makeRow(_ entry: HostSurvey.Entry, _ row: String) throws(LabFailure) -> LabPolicy {
        let policy = file.clients[entry.client].policy
        // The chain is of a server that it names, or whose keys are pinned.
        let isOfServer = server.map { server in
            guard entry.host != main, let leaf = server.certificates.first else { return true }
            let values = policy.pinnedLists(for: entry.host).flatMap(\.values)
            return leaf.names(entry.host)
                || server.certificates.contains { facts in values.contains { $0.matches(facts) } }
        }
        var made = try LabPolicy.own(
            policy,
            title: file.clients[entry.client].title,
            of: file,
            name: row,
            host: entry.host,
            labHost: main,
            server: isOfServer == true ? server : nil
        )
        made.isJudgedInMemory = !rows.isEmpty
        return made
    }

    /// The title of an entry, with the client if the file has several.
    private func title(of entry: HostSurvey.Entry) -> String {
        file.clients.count > 1 ? "\(entry.title) (\(file.clients[entry.client].title))" : entry.title
    }

    private func unusedName(for entry: HostSurvey.Entry) -> String {
        let base = "\(name):\(entry.title)"
        let taken = Set(rows.map(\.id))
        guard taken.contains(base) else { return base }
        return (2...).lazy.map { "\(base)-\($0)" }.first { !taken.contains($0) } ?? base
    }

    private func sentence(_ entry: HostSurvey.Entry) -> String {
        let place = entry.line.map { ", by line \($0)" } ?? ""
        let client = entry.opensPinnedHost ? "; another client in the file pins it" : ""
        return switch entry.standing.protection {
        case .pinned: ""
        case .refused: "every server is refused\(place)"
        case .notPinned: "not pinned\(place)\(client)"
        case .anyName: "a certificate for any host passes\(place)"
        case .acceptsEverything: "every certificate passes\(place)"
        }
    }
}

extension JudgedHost.State {
    fileprivate init(_ protection: HostStanding.Protection) {
        self =
            switch protection {
            case .pinned: .pinned
            case .refused: .refused
            case .notPinned: .notPinned
            case .anyName: .anyName
            case .acceptsEverything: .acceptsEverything
            }
    }
}
