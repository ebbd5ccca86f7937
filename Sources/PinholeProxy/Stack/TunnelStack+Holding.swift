import PinholeCrypto
import PinholeModel
import PinholeRules
import PinholeWire

/// Messages that are held: their content is gathered here, and sent on when it is decided what becomes of it.
extension TunnelStack {
    /// Does what the machine asks for.
    mutating func rule(_ command: TunnelCommand, at now: Timestamp) {
        switch command {
        case .consult(let number, let question): consult(number, question)
        case .withdraw(let number): withdraw(number)
        case .holdRequest(let continues): holdRequest(continues: continues, at: now)
        case .releaseRequest: if requestFlow == .gathered { requestFlow = .held }
        case .holdResponse(let head, let gathers):
            let response = (head: head.raw, status: head.receivedStatus)
            heldResponse = HeldBody(
                limits,
                environment.heldBodies,
                response: response,
                gathers: gathers,
                at: now
            )
        case .throttle(let throttling): beginThrottle(throttling, at: now)
        case .editMessages(let rules): messageRules = rules
        default: break
        }
    }

    // MARK: Questions

    private mutating func consult(_ number: Int, _ question: Consultation) {
        openQuestion = number
        guard case .message(var message) = question else {
            return actions.append(.consult(number, question))
        }
        message.exchange = recorder.exchangeID
        // Whoever is asked about it wants to see it, too.
        if message.patience > .zero { recorder.recordAsItStands(into: &records) }
        if !message.isHeadAlone, let held = heldResponse ?? heldRequest { message.body = held.bytes.prefix() }
        actions.append(.consult(number, .message(message)))
    }

    mutating func withdraw(_ number: Int) {
        if openQuestion == number { openQuestion = nil }
        actions.append(.withdraw(number))
    }

    /// Takes note of what a message becomes, before the machine says where it goes.
    mutating func noteDecision(_ number: Int, _ decision: Decision) {
        guard openQuestion == number else { return }
        openQuestion = nil
        guard let change = decision.change else { return }
        (heldResponse ?? heldRequest)?.replace(with: change.body)
    }

    /// Takes leave of what is held: the exchange is over, and the capture gets what came.
    mutating func endHolding(at now: Timestamp) {
        if let number = openQuestion { withdraw(number) }
        if let held = heldRequest.take(), held.stage != .passing {
            record(held, of: .request, at: now)
        }
        guard let held = heldResponse.take(), held.stage != .passing, let response = held.response else {
            return
        }
        recorder.noteHeldResponse(response.head, status: response.status, at: held.began)
        record(held, of: .response, at: now)
    }

    private mutating func record(_ held: HeldBody, of owner: BodyOwner, at now: Timestamp) {
        if !held.bytes.isEmpty {
            recorder.tee(held.bytes.count, of: held.bytes, owner: owner, at: now, into: &records)
        }
        if owner == .response, let trailers = held.trailers {
            recorder.noteTrailers(trailers.section, of: .response)
        }
        if held.isWhole { recorder.noteEnd(of: owner, at: now) }
    }

    // MARK: Requests

    mutating func holdRequest(continues: Bool, at now: Timestamp) {
        heldRequest = HeldBody(limits, environment.heldBodies, at: now)
        requestFlow = .gathered
        if continues { client.send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)) }
    }

    mutating func gatherRequest(_ count: Int, at now: Timestamp) {
        guard let held = heldRequest else { return client.readable.consume(count) }
        guard let end = held.gather(count, from: &client.readable) else { return }
        requestFlow = .held
        handle(.requestHeld(end), at: now)
    }

    mutating func endGatheredRequest(at now: Timestamp) {
        requestFlow = .sent
        handle(.requestEnded, at: now)
        guard let held = heldRequest else { return }
        handle(.requestHeld(held.end(hasTrailers: held.trailers != nil)), at: now)
    }

    /// Sends what was held of a request, behind its head.
    mutating func passHeldRequest(_ head: RequestHead, at now: Timestamp) {
        guard let held = heldRequest else { return }
        if held.isReplaced, let ruling = tunnel.exchange?.ruling {
            recorder.noteReplacedRequest(head.rebuilt, ruling.original, as: ruling.plan.request)
        }
        if head.framing == .none { held.drop() }
        record(held, of: .request, at: now)
        let isChunked = head.framing == .chunked
        var piece = held.take()
        do throws(TLSFailure) {
            try server?.value.sendHTTP1(&piece, isChunked: isChunked)
        } catch {
            return handle(.closed(.server, .reset(error.detail)), at: now)
        }
        held.stage = isChunked ? .passing : .waiting
        if held.isWhole { endHeldRequest(at: now) }
        if held.isWhole || !isChunked { heldRequest = nil }
    }

    /// Sends a piece of a request whose chunks are our own.
    mutating func passChunkToServer(_ count: Int, at now: Timestamp) {
        guard requestFlow == .forwarded else { return client.readable.consume(count) }
        server?.value.send(chunkHead(count))
        passToServer(count, at: now)
        server?.value.send([0x0d, 0x0a])
    }

    /// Sends the end of a request whose chunks are our own.
    mutating func endHeldRequest(at now: Timestamp) {
        guard let held = heldRequest, held.stage == .passing else { return }
        heldRequest = nil
        guard requestFlow == .forwarded || held.isWhole else { return }
        do throws(HTTP1Failure) {
            try server?.value.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.lastChunk(trailers: held.trailers?.fields ?? HeaderFields(), into: &output)
            }
        } catch {
            handle(.requestFailed(error), at: now)
        }
    }

    // MARK: Responses

    mutating func gatherResponse(_ count: Int, at now: Timestamp) {
        guard let held = heldResponse, let peer = server.take() else { return }
        let end = held.gather(count, from: &peer.value.readable)
        server = consume peer
        if let end { handle(.responseHeld(end), at: now) }
    }

    /// Sends what was held of a response, behind its head.
    mutating func passHeldResponse(_ head: ResponseHead, at now: Timestamp) {
        guard let held = heldResponse else { return }
        if head.framing == .none { held.drop() }
        record(held, of: .response, at: now)
        let isChunked = head.framing == .chunked && !dechunksResponse
        var piece = held.take()
        do throws(TLSFailure) {
            try client.sendHTTP1(&piece, isChunked: isChunked)
        } catch {
            return handle(.closed(.client, .reset(error.detail)), at: now)
        }
        held.stage = isChunked ? .passing : .waiting
        if held.isWhole { endHeldResponse(at: now) }
        if held.isWhole || !isChunked { heldResponse = nil }
        if held.isWhole { handle(.responseEnded, at: now) }
    }

    /// Sends a piece of a response whose chunks are our own.
    mutating func passChunkToClient(_ count: Int, at now: Timestamp) {
        client.send(chunkHead(count))
        passToClient(count, at: now)
        client.send([0x0d, 0x0a])
    }

    /// Sends the end of a response whose chunks are our own.
    mutating func endHeldResponse(at now: Timestamp) {
        guard let held = heldResponse, held.stage == .passing else { return }
        heldResponse = nil
        if !held.isWhole, let trailers = held.trailers {
            recorder.noteTrailers(trailers.section, of: .response)
        }
        do throws(HTTP1Failure) {
            try client.send { (output: inout ByteQueue) throws(HTTP1Failure) in
                try HTTP1Writer.lastChunk(trailers: held.trailers?.fields ?? HeaderFields(), into: &output)
            }
        } catch {
            handle(.responseFailed(error), at: now)
        }
    }

    private func chunkHead(_ count: Int) -> [UInt8] { Array("\(String(count, radix: 16))\r\n".utf8) }
}
