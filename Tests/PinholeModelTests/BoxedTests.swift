import Testing

@testable import PinholeModel

@Suite("Boxed")
struct BoxedTests {
    private struct Owner: ~Copyable {
        var number: Int
        let onEnd: (Int) -> Void
        deinit { onEnd(number) }
    }

    @Test("holds its value in one place, and ends it once, with its last owner")
    func ownership() {
        var ended: [Int] = []
        func use(_ box: consuming Boxed<Owner>) -> Int { box.value.number }
        do {
            let box = Boxed(Owner(number: 1) { ended.append($0) })
            box.value.number += 1
            let handedOn = consume box
            #expect(ended.isEmpty)
            #expect(use(handedOn) == 2)
        }
        #expect(ended == [2])
    }
}
