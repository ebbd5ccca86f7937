import Glibc
import PinholeModel
import Testing

@testable import PinholeRuntime

@Suite("Whose a listening socket is")
struct ListeningUserTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F91 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   999        0 11 1
           1: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1
           2: 00000000:1F92 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 13 1
        """

    @Test(
        "the user stands in the line of the listener, not of a connection",
        arguments: [(UInt16(8081), UInt32?.some(1000)), (8082, nil), (8083, nil)]
    )
    func table(_ port: UInt16, _ user: UInt32?) throws {
        let address = SocketAddress(try #require(IPAddress("127.0.0.1")), port: port)
        #expect(ListeningUser.number(at: address, in: Self.table) == user)
    }

    @Test("an address of IPv6 is written in groups of four bytes")
    func version6() throws {
        let line = "x\n 0: 00000000000000000000000001000000:1F91 0:0 0A 0:0 00:0 0 7 0 1 1\n"
        let address = SocketAddress(try #require(IPAddress("::1")), port: 8081)
        #expect(ListeningUser.number(at: address, in: line) == 7)
    }

    @Test("the ports of ::1 belong to its listeners and to listeners at every address")
    func ports() {
        let (loopback, zeros) = (
            String(repeating: "0", count: 24) + "01000000", String(repeating: "0", count: 32)
        )
        let other = String(repeating: "0", count: 16) + "0000000002000000"
        let places = [
            ("\(loopback):1F91", "0A"), ("\(zeros):1F92", "0A"), ("\(zeros):1F93", "01"),
            ("\(other):1F94", "0A"),
        ]
        let lines = places.map { " 0: \($0) 0:0 \($1) 0:0 00:0 0 7 0 1 1\n" }
        #expect(ListeningUser.portsOfLoopback6(in: "x\n" + lines.joined() + " 1: x\n") == [8081, 8082])
    }

    @Test("this user listens where this process does", arguments: ["127.0.0.1", "::1"])
    func own(_ host: String) throws {
        let address = SocketAddress(try #require(IPAddress(host)), port: 0)
        guard let socket = try? Listener.bound(to: address, shared: false) else { return }
        #expect(listen(socket.descriptor, 1) == 0)
        guard let bound = socket.localAddress else {
            Issue.record("a bound socket has an address")
            return
        }
        #expect(ListeningUser.number(at: bound) == geteuid())
    }
}
