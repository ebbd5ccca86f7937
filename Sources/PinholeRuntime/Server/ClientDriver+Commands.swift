import PinholeModel
import PinholeProxy

/// Carries out the commands of the stack.
extension ClientDriver {
    /// Makes one connection to a server, and reports the result to the driver with the number of the link.
    final class Dialing: DialerOwner {
        unowned let driver: ClientDriver
        let link: LinkID
        let target: DialTarget
        var dialer: (any ServerDialing)?

        init(_ driver: ClientDriver, _ link: LinkID, to target: DialTarget) {
            self.driver = driver
            self.link = link
            self.target = target
        }

        func mayConnect(to address: SocketAddress) -> Bool { !driver.shard.isOwn(address) }

        func dialed(_ end: Dialer.End, on loop: isolated EventLoop) { driver.dialed(link, end, on: loop) }
    }

    func place(of link: LinkID) -> LinkLine? { lines.first { $0.link == link } }

    private func removePlace(of link: LinkID) -> LinkLine? {
        lines.firstIndex { $0.link == link }.map { lines.remove(at: $0) }
    }

    func perform<Stack: ClientStack & ~Copyable>(
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        // A command may cause others, which are carried out after it. So the list may grow during the loop.
        var index = 0
        while index < stack.value.driverCommands.count {
            var command = DriverCommand.abort
            swap(&command, &stack.value.driverCommands[index])
            perform(command, stack, on: loop)
            index += 1
        }
        stack.value.driverCommands.removeAll(keepingCapacity: true)
    }

    private func perform<Stack: ClientStack & ~Copyable>(
        _ command: consuming DriverCommand,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        switch command {
        case .arm(let kind, let duration):
            deadline = (kind, loop.now + duration, duration)
            schedule(on: loop)
        case .armHandshake(let link, let duration):
            handshakes[link] = loop.now + duration
            schedule(on: loop)
        case .disarmHandshake(let link): handshakes[link] = nil
        case .dial(let link, let target):
            takePlace(stack, on: loop)
            dial(link, target, stack, on: loop)
        case .authenticate(let lane, let check):
            shard.authenticate(check, for: self, tag: lane.rawValue, on: loop)
        case .mint(let request): shard.mint(request, for: self, on: loop)
        case .consult(let lane, let question):
            let tag = lane.rawValue
            questions[tag] = shard.consult(question, for: self, tag: tag, on: loop)
        case .withdraw(let lane): questions.removeValue(forKey: lane.rawValue)?.withdraw(on: loop)
        case .read(let lane, let content, let range):
            shard.read(content, range, for: self, tag: lane.rawValue, on: loop)
        case .closeLink(let link): closeLink(link, on: loop)
        case .releaseLink(let link): releaseLink(link, stack, on: loop)
        case .closeLinkHalf(let link): place(of: link)?.line?.closesWhenWritten = true
        case .resetLink(let link): place(of: link)?.line?.socket.resetOnClose()
        case .closeClient: clientLine?.closeWhenWritten()
        case .resetClient: clientLine?.resetOnClose()
        case .acceptStream: clientLine?.accept(on: loop)
        case .refuseStream(let answer): clientLine?.refuse(answer, on: loop)
        case .openTunnel(let lane, let connect):
            takePlace(stack, on: loop)
            openTunnel(lane, connect, on: loop)
        case .stirTunnel(let lane): streamLines[lane]?.stir(on: loop)
        case .abort: break  // The stack is closed; the turn ends with it.
        }
    }

    private func dial<Stack: ClientStack & ~Copyable>(
        _ link: LinkID,
        _ target: DialTarget,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        if target.mayReuse, let pooled = shard.pool.take(target, on: loop) {
            return install(pooled, link, target, stack, on: loop)
        }
        let dialing = Dialing(self, link, to: target)
        let tag = Self.tag(link)
        dialing.dialer = shard.makeDialer(to: target, for: self, owner: dialing, tag: tag, on: loop)
        dialings[link] = dialing
        shard.start(dialing.dialer, to: target, for: self, tag: tag, on: loop)
    }

    /// Uses a connection from the pool for a link.
    private func install<Stack: ClientStack & ~Copyable>(
        _ pooled: consuming ServerPool.Entry,
        _ id: LinkID,
        _ target: DialTarget,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        var facts = DialedServer(address: pooled.address)
        facts.secured = pooled.secured
        facts.isReused = true
        loop.transfer(pooled.token, to: self, tag: Self.tag(id))
        let parts = pooled.dismantle()
        let line = SocketLine(socket: parts.socket, token: parts.token)
        lines.append(LinkLine(id, line, at: facts.address, target))
        stack.value.dialed(id, facts, parts.stack, at: loop.now)
    }

    fileprivate func dialed(_ id: LinkID, _ end: Dialer.End, on loop: isolated EventLoop) {
        guard let dialing = dialings.removeValue(forKey: id) else { return }
        switch phase {
        case .opening(let stack): dialed(dialing, end, stack, on: loop)
        case .conversation(let stack): dialed(dialing, end, stack, on: loop)
        }
        turn(on: loop)
    }

    private func dialed<Stack: ClientStack & ~Copyable>(
        _ dialing: Dialing,
        _ end: Dialer.End,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        let id = dialing.link
        let peer = dialing.dialer?.takePeer()
        switch end {
        case .failed(let failure, let report):
            stack.value.dialFailed(id, failure, report.dials, at: loop.now)
        case .connected(let descriptor, let address, let report):
            var socket = Socket(taking: descriptor)
            socket.setNoDelay()
            shard.tap(&socket, of: stack.value.flow.id, isServer: true, on: loop)
            var facts = report.facts(of: address)
            if !Stack.isOpening { facts.hasManyRequests = shard.hasManyRequests(dialing.target.place) }
            do throws(SystemFailure) {
                let token = try loop.register(socket.descriptor, self, tag: Self.tag(id))
                let line = SocketLine(socket: socket, token: token)
                lines.append(LinkLine(id, line, at: address.description, dialing.target))
                stack.value.dialed(id, facts, peer, at: loop.now)
            } catch {
                let failure = DialFailure(.unreachable, error.description)
                stack.value.dialFailed(id, failure, report.dials, at: loop.now)
            }
        }
    }

    /// Puts a connection into the pool if it is still usable.
    private func releaseLink<Stack: ClientStack & ~Copyable>(
        _ id: LinkID,
        _ stack: borrowing Boxed<Stack>,
        on loop: isolated EventLoop
    ) {
        guard let place = removePlace(of: id), let line = place.line.take() else { return }
        guard let link = stack.value.takeLink(id) else {
            return loop.unregister(line.token, descriptor: line.socket.descriptor)
        }
        let peer = link.takePeer(shard.limits)
        peer.value.giveBack(to: &loop.buffers)
        guard peer.value.pendingOutput == 0, !line.hasEnded,
            peer.value.isStillIdle(limit: shard.limits.readSize)
        else {
            return loop.unregister(line.token, descriptor: line.socket.descriptor)
        }
        let parts = line.dismantle()
        shard.pool.put(
            ServerPool.Entry(
                socket: parts.socket,
                token: parts.token,
                stack: peer,
                target: place.target,
                secured: link.secured,
                address: place.address
            ),
            on: loop
        )
    }

    func closeLink(_ id: LinkID, on loop: isolated EventLoop) {
        handshakes[id] = nil
        dialings.removeValue(forKey: id)?.dialer?.cancel(on: loop)
        let link = inStack({ $0.takeLink(id) }, { $0.takeLink(id) })
        guard let place = removePlace(of: id) else { return }
        if let link {
            try? place.line?.flush(&link.peer.value.outbox)
            link.peer.value.giveBack(to: &loop.buffers)
        }
        guard let line = place.line.take() else { return }
        loop.unregister(line.token, descriptor: line.socket.descriptor)
    }
}
