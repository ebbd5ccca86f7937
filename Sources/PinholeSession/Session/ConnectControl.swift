import PinholeCrypto
import PinholeFiles
import PinholeModel
import PinholeProxy
import PinholeRuntime

/// The actions on the ways in which clients connect.
package protocol ConnectControl: Sendable {
    /// Returns the ways in which clients connect, and what came from each kind.
    func connect() async throws(Problem) -> ConnectListing
}

extension SessionControl {
    func connect() throws(Problem) -> ConnectListing {
        guard let lines else { throw Problem.noProxy }
        let network = self.network(LocalInterfaces.networks())
        let guide = ClientGuide(
            lines: lines,
            port: port,
            certificate: certificate,
            androidName: TrustStore.androidFileName(proxy.minter.authority.root),
            place: network.places.first ?? "ADDRESS:\(port)"
        )
        let sightings = proxy.sink.sightings?.sightings ?? [:]
        return ConnectListing(
            ways: guide.ways.map { ConnectListing.Way($0, sightings[$0.kind]) },
            network: network,
            asksForPassword: asksForPassword
        )
    }

    private var certificate: String {
        AuthorityDirectory(path: FilePath.absolute(proxy.settings.authority.directory)).certificatePath
    }

    /// The port of the first listener for clients that know of a proxy.
    private var port: UInt16 { address?.port ?? 8080 }

    /// Returns the addresses at which other machines reach the proxy, or would reach it.
    ///
    /// - Returns: The addresses, and the command that opens the proxy if it is on loopback only.
    func network(_ networks: [LocalNetwork]) -> ConnectListing.Network {
        let outer = Self.outer(networks)
        let open = bound.filter { $0.mode.isProxy }.map(\.address).filter {
            !$0.address.isLoopback || $0.address.isUnspecified
        }
        guard open.isEmpty else {
            let places = open.flatMap { point in
                point.address.isUnspecified
                    ? outer.map { Self.place($0.address, point.port) }
                    : [Self.place(point.address, point.port)]
            }
            return ConnectListing.Network(isOpen: true, places: places, command: nil, network: nil)
        }
        let places = outer.map { Self.place($0.address, port) }
        return ConnectListing.Network(
            isOpen: false,
            places: places,
            command: command(for: outer.first),
            network: outer.first?.description
        )
    }

    /// Returns the networks in which other devices may be, the likeliest first.
    private static func outer(_ networks: [LocalNetwork]) -> [LocalNetwork] {
        let outer = networks.filter { network in
            !network.address.isLoopback && !network.address.isLinkLocal6 && !network.isOfContainers
        }
        // Phones join local networks by IPv4 far more often than by IPv6 alone.
        return outer.filter { !$0.address.isVersion6 } + outer.filter { $0.address.isVersion6 }
    }

    private static func place(_ address: IPAddress, _ port: UInt16) -> String {
        Authority(host: .address(address), port: port).description
    }

    /// Returns the command that starts the proxy again with its flags, for a network.
    private func command(for network: LocalNetwork?) -> String {
        let arguments = CommandLine.arguments
        let isProxy = arguments.dropFirst().first == "proxy"
        let flags = isProxy ? RepeatedFlags.without("--listen", Array(arguments.dropFirst(2))) : []
        let allowed = network.map { ["--allow", $0.description] } ?? []
        let words =
            ["pinhole", "proxy"] + flags.map(RepeatedFlags.withoutPassword)
            + ["--listen", network?.address.isVersion6 == true ? "[::]:\(port)" : "0.0.0.0:\(port)"] + allowed
        return "cd \(ShellWord.quoted(FilePath.workingDirectory)) && \(ShellWord.command(words))"
    }
}

extension RemoteControl {
    func connect() async throws(Problem) -> ConnectListing { try await api.answer("GET", "/api/connect") }
}
