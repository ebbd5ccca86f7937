import PinholeModel
import PinholeRuntime
import Synchronization

/// The part of an origin that lives on its loop: listeners and connections.
final class OriginHub: LoopTenant, ListenerOwner {
    private let site: OriginSite
    private let count: OriginCount
    private var listeners: [Listener] = []
    private var secureAddress: SocketAddress?
    private var drivers: [Int: OriginDriver] = [:]
    private var nextNumber = 0

    init(site: OriginSite, count: OriginCount) {
        self.site = site
        self.count = count
    }

    var mayAccept: Bool { true }

    /// Listens on a port that the kernel chooses.
    func listen(
        on address: SocketAddress,
        isSecure: Bool,
        on loop: isolated EventLoop
    ) throws(SystemFailure) -> SocketAddress {
        let listener = try Listener(address, owner: self)
        if isSecure { secureAddress = listener.address }
        try listener.start(on: loop)
        listeners.append(listener)
        return listener.address
    }

    func accepted(_ descriptor: Int32, at address: SocketAddress, on loop: isolated EventLoop) {
        let socket = Socket(taking: descriptor)
        socket.setNoDelay()
        nextNumber += 1
        let driver = OriginDriver(
            number: nextNumber,
            hub: self,
            connection: OriginConnection(
                site: site,
                isSecure: address == secureAddress,
                plainPort: listeners.lazy.map(\.address).first { $0 != self.secureAddress }?.port
            )
        )
        // Without a registration the driver goes, and the socket with it.
        guard (try? driver.begin(socket, on: loop)) != nil else { return }
        drivers[nextNumber] = driver
        count.accepted.add(1, ordering: .relaxed)
        count.open.add(1, ordering: .relaxed)
    }

    func forget(_ driver: OriginDriver) {
        guard drivers.removeValue(forKey: driver.number) != nil else { return }
        count.open.subtract(1, ordering: .relaxed)
    }

    func stop(on loop: isolated EventLoop) {
        for listener in listeners { listener.stop(on: loop) }
        listeners = []
        for driver in Array(drivers.values) { driver.stop(on: loop) }
    }
}

/// How many connections an origin has and had; read from any thread.
final class OriginCount: Sendable {
    let open = Atomic<Int>(0)
    let accepted = Atomic<Int>(0)
}
