import PinholeCrypto
import PinholeModel
import PinholeProxy

/// Does the work that the stacks ask for.
extension StackHarness {
    func perform() {
        var index = 0
        while !isConversing, index < stack.driverCommands.count {
            perform(stack.driverCommands[index])
            index += 1
        }
        stack.driverCommands.removeAll()
        converse()
        index = 0
        while index < conversation?.value.driverCommands.count ?? 0 {
            if let command = conversation?.value.driverCommands[index] { perform(command) }
            index += 1
        }
        conversation?.value.driverCommands.removeAll()
        collect()
    }

    func collect() {
        records += stack.records
        stack.records.removeAll()
        records += conversation?.value.records ?? []
        conversation?.value.records.removeAll()
    }

    func perform(_ command: DriverCommand) {
        switch command {
        case .dial(let id, let target): dial(id, target)
        case .mint(let request): mint(request)
        case .authenticate(let lane, let check):
            loginLane = lane
            logins.append(check)
            if verifiesAtOnce { answerLogin() }
        case .consult(let lane, let question):
            if let decision = onConsult(question) {
                conversation?.value.decided(lane, decision, at: now)
            } else {
                open[lane.rawValue] = question
            }
        case .withdraw(let lane): open[lane.rawValue] = nil
        case .read(let lane, let content, let range):
            hasRead = true
            conversation?.value.contentRead(lane, content, content.read(range), at: now)
        case .closeLink(let id):
            guard id == link else { return }
            closeServer(.orderly)
        case .releaseLink: if isConversing { releaseLink() } else { releaseServer() }
        case .closeLinkHalf: closesServerHalf = true
        case .resetLink: wasServerReset = true
        case .closeClient: closesClientWhenWritten = true
        case .resetClient: wasReset = true
        case .acceptStream: streamAnswer = 200
        case .refuseStream(let answer): streamAnswer = answer.status
        case .abort: wasAborted = true
        case .arm(let kind, let duration): deadline = (kind, now + duration)
        case .armHandshake(_, let duration): handshakeDeadline = now + duration
        case .disarmHandshake: handshakeDeadline = nil
        case .openTunnel, .stirTunnel: break
        }
    }

    func mint(_ request: LeafRequest) {
        minted.append(request)
        guard mintsAtOnce else { return }
        do throws(CryptoFailure) {
            stack.minted(try world.proxyMinter.mint(request, now: world.now), at: now)
        } catch {
            stack.mintFailed(error.description, at: now)
        }
    }

    func dial(_ id: LinkID, _ target: DialTarget) {
        dialed.append(target)
        self.target = target
        link = id
        guard target.mayReuse, let peer = pool.peer.take(), pool.target == target else {
            return settle(onDial(target))
        }
        server = pool.other
        isServerConnected = true
        isServerPooled = false
        if isConversing {
            conversation?.value.dialed(id, pool.facts, peer, at: now)
        } else {
            stack.dialed(id, pool.facts, peer, at: now)
        }
    }

    /// Lets the stack of a conversation go on, if the opening is done; for most tests with a client of HTTP/2 a harness of its own does that.
    func converse() {
        guard stack.hasFirstRequest || conversesInHTTP2, let opening = stack.takeSeed() else { return }
        collect()
        let server = opening.hasServer ? stack.takeLink(.first) : nil
        if !opening.hasServer { closeServer(.orderly) }
        conversation = Boxed(
            ConversationStack(
                opening,
                client: stack.takeClient(),
                server: server,
                environment: stackEnvironment,
                sink: sink,
                keepsBodies: keepsBodies
            )
        )
        conversation?.value.begin(at: now)
    }

    func releaseLink() {
        guard isServerConnected, let taken = conversation?.value.takeLink(link) else { return }
        isServerConnected = false
        keep(taken.takePeer(Limits()), secured: taken.secured)
    }

    func settle(_ answer: Answer) {
        switch answer {
        case .connect(let peer):
            server = peer
            isServerConnected = true
            closesServerHalf = false
            var facts = DialedServer(address: "192.0.2.1:443")
            facts.resolve = .milliseconds(1)
            facts.connect = .milliseconds(1)
            facts.dials = [
                DialRecord(
                    address: facts.address,
                    started: now,
                    duration: .milliseconds(1),
                    failure: nil
                )
            ]
            if isConversing {
                conversation?.value.dialed(link, facts, at: now)
            } else {
                stack.dialed(link, facts, at: now)
            }
        case .fail(let failure):
            if isConversing {
                conversation?.value.dialFailed(link, failure, [], at: now)
            } else {
                stack.dialFailed(link, failure, [], at: now)
            }
        case .wait: break
        }
    }

    func releaseServer() {
        guard isServerConnected, let taken = stack.takeLink(link) else { return }
        isServerConnected = false
        keep(taken.takePeer(Limits()), secured: taken.secured)
    }

    /// Takes over the idle connection of another client, as all clients of a loop share one pool.
    package func adoptPool(of other: StackHarness) {
        pool.peer = other.pool.peer.take()
        pool.other = other.pool.other
        pool.facts = other.pool.facts
        pool.target = other.pool.target
    }

    /// Puts a connection into the pool, if it is still good.
    func keep(_ peer: consuming Boxed<HTTPPeer>, secured: SecuredServer?) {
        guard peer.value.pendingOutput == 0, peer.value.isStillIdle(limit: 1 << 16), server?.pendingEnd == nil
        else {
            server?.end(.orderly)
            return
        }
        pool.facts = DialedServer(address: "192.0.2.1:443")
        pool.facts.isReused = true
        pool.facts.secured = secured
        pool.other = server
        var key = target
        key?.mayReuse = true
        pool.target = key
        pool.peer = consume peer
        isServerPooled = true
    }
}
