import PinholeModel
import PinholeRules
import Testing

@testable import PinholeRuntime

/// What a held message may become, by the same rules for everybody.
@Suite("MessageQuestion")
struct MessageQuestionTests {
    private func question(
        _ method: String = "GET",
        path: String = "/x",
        status: Int? = nil,
        at point: ProgramCall.Point? = nil
    ) -> MessageQuestion {
        let request = RuleRequest(
            scheme: .https,
            authority: Authority(host: .name("a.test"), port: 443),
            method: method,
            path: path,
            fields: HeaderFields()
        )
        let response = status.map { RuleResponse(status: $0, fields: HeaderFields()) }
        return MessageQuestion(
            point: point ?? (status == nil ? .request : .response),
            rule: "r",
            message: HeldMessage(request: request, response: response, tasks: [])
        )
    }

    private func reason(
        _ question: MessageQuestion,
        _ way: MessageDecision.Way = .proceed,
        _ write: (inout MessageDecision) -> Void
    ) -> String? {
        var verdict = MessageDecision(way)
        write(&verdict)
        do throws(DecisionFailure) {
            try question.check(verdict)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("a request stays a request, and HEAD stays HEAD")
    func requests() {
        #expect(reason(question()) { $0.method = "PATCH" } == nil)
        #expect(reason(question("HEAD")) { $0.method = "HEAD" } == nil)
        #expect(
            reason(question("HEAD")) { $0.method = "GET" } == "method: expected HEAD, as it was, found “GET”"
        )
        for method in ["HEAD", "CONNECT", "A B", ""] {
            let wanted = "method: expected a method other than CONNECT and HEAD, found “\(method)”"
            #expect(reason(question()) { $0.method = method } == wanted)
        }
        #expect(reason(question()) { $0.path = "/a?b" } == nil)
        #expect(reason(question("OPTIONS", path: "*")) { $0.path = "*" } == nil)
        for path in ["a", "/a b", "/a#b", "*"] {
            let wanted = "path: expected a path that begins with “/”, without spaces and “#”, found “\(path)”"
            #expect(reason(question()) { $0.path = path } == wanted)
        }
        #expect(
            reason(question()) { $0.status = 404 }
                == "status: expected none, since a request is held, found 404"
        )
        #expect(reason(question()) { $0.body = [1] } == nil)
    }

    @Test("a response keeps being one, and has a body only where its status and HEAD allow it")
    func responses() {
        let held = question(status: 200)
        #expect(
            reason(held) { $0.method = "PUT" }
                == "method: expected none, since a response is held, found “PUT”"
        )
        #expect(reason(held) { $0.path = "/" } == "path: expected none, since a response is held, found “/”")
        for status in [100, 205, 600] {
            let wanted = "status: expected 200 to 599 other than 205, found \(status)"
            #expect(reason(held) { $0.status = status } == wanted)
            // What came so may stay.
            #expect(reason(question(status: status)) { $0.status = status } == nil)
        }
        #expect(reason(held) { $0.status = 204 } == nil)
        for status in [204, 304] {
            let wanted = "body: expected none, since \(status) forbids content, found 2 bytes"
            #expect(reason(question(status: status)) { $0.body = [1, 2] } == wanted)
            #expect(reason(question(status: status)) { $0.body = [] } == nil)
            let change: (inout MessageDecision) -> Void = {
                $0.status = status
                $0.body = [1, 2]
            }
            #expect(reason(held, .proceed, change) == wanted)
            let back: (inout MessageDecision) -> Void = {
                $0.status = 200
                $0.body = [1, 2]
            }
            #expect(reason(question(status: status), .proceed, back) == nil)
        }
        let head = question("HEAD", status: 200)
        #expect(
            reason(head) { $0.body = [1] } == "body: expected none, since HEAD is answered, found 1 bytes"
        )
        #expect(reason(head) { $0.body = [] } == nil)
    }

    @Test("the body stays unchanged if only the head is asked about")
    func heads() {
        let wanted = "body: expected none, since only headers are asked about, found 1 bytes"
        #expect(reason(question(at: .requestHead)) { $0.body = [1] } == wanted)
        #expect(reason(question(status: 200, at: .responseHead)) { $0.body = [1] } == wanted)
        #expect(reason(question(status: 200, at: .response)) { $0.body = [1] } == nil)
        #expect(reason(question(status: 200, at: .responseHead)) { $0.status = 404 } == nil)
        #expect(
            reason(question(status: 200, at: .responseHead)) { $0.status = 304 }
                == "status: expected a status that may have content as 200, found 304"
        )
        #expect(
            reason(question(status: 304, at: .responseHead)) { $0.status = 200 }
                == "status: expected a status that forbids content as 304, found 200"
        )
        #expect(reason(question(at: .requestHead), .respond) { $0.body = [1] } == nil)
    }

    @Test("an answer has a status, and a body where that allows it")
    func answers() {
        for status in [204, 205, 304] {
            #expect(reason(question(), .respond) { $0.status = status } == nil)
            let write: (inout MessageDecision) -> Void = {
                $0.status = status
                $0.body = [1]
            }
            let wanted = "body: expected none, since \(status) forbids content, found 1 bytes"
            #expect(reason(question(), .respond, write) == wanted)
        }
        // What HEAD gets of it is its length.
        #expect(reason(question("HEAD"), .respond) { $0.body = [1] } == nil)
        #expect(reason(question(), .respond) { $0.status = 101 } == "status: expected 200 to 599, found 101")
        #expect(reason(question(), .drop(isReset: true)) { $0.status = 1 } == nil)
    }

    @Test(
        "fields that would frame the message, or end their line, cannot be sent",
        arguments: [
            ("Content-Length", "1"), ("X", "a\r\nY: b"), ("X Y", ""), ("host", "b"),
            ("Expect", "100-continue"),
        ]
    )
    func fields(name: String, value: String) {
        let wanted =
            "fields[1]: expected a header that does not frame the message and has no control characters, found “\(name)”"
        for way in [MessageDecision.Way.proceed, .respond] {
            let reason = reason(question(), way) { $0.fields = [.init("X", "y"), .init(name, value)] }
            #expect(reason == wanted)
        }
    }
}
