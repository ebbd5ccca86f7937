import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("LocalNetwork")
struct LocalNetworkTests {
    private func network(
        _ address: String,
        _ prefix: Int,
        _ interface: String = "eth0"
    ) throws -> LocalNetwork {
        LocalNetwork(interface: interface, address: try #require(IPAddress(address)), prefix: prefix)
    }

    @Test(
        "two addresses are in one network if its prefix bits are equal",
        arguments: [
            ("192.168.1.5", 24, "192.168.1.0/24"), ("10.8.3.2", 20, "10.8.0.0/20"),
            ("172.17.0.1", 16, "172.17.0.0/16"),
            ("192.0.2.7", 32, "192.0.2.7/32"), ("192.0.2.7", 0, "0.0.0.0/0"),
            ("2001:db8::5", 64, "2001:db8::/64"),
        ]
    )
    func notation(_ address: String, _ prefix: Int, _ text: String) throws {
        #expect(try network(address, prefix).description == text)
    }

    @Test("a listener can have the addresses of this machine alone")
    func available() {
        let addresses = ["127.0.0.1", "192.0.2.1"].compactMap { IPAddress($0) }
        #expect(addresses.map { SocketAddress($0, port: 0).isAvailable } == [true, false])
    }

    @Test("an address is in the network if it shares the bits, and has the same version")
    func members() throws {
        let network = try network("10.8.3.2", 20)
        #expect(network.contains(try #require(IPAddress("10.8.15.255"))))
        #expect(!network.contains(try #require(IPAddress("10.8.16.0"))))
        #expect(!network.contains(try #require(IPAddress("::1"))))
    }

    @Test("networks of containers are known by the names of their interfaces")
    func containers() throws {
        for name in ["docker0", "br-1a2b3c", "podman0", "cni-podman0"] {
            #expect(try network("172.17.0.1", 16, name).isOfContainers, "\(name)")
        }
        for name in ["eth0", "wlan0", "lo", "br0"] {
            #expect(try !network("172.17.0.1", 16, name).isOfContainers, "\(name)")
        }
    }

    @Test("this machine has a loopback network")
    func loopback() throws {
        let own = try #require(LocalInterfaces.networks().first { $0.address.description == "127.0.0.1" })
        #expect(own.prefix == 8 && own.interface == "lo")
    }
}
