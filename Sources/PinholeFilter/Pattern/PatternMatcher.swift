/// Finds where a pattern matches and what its groups match: the leftmost match, as Python would take it.
///
/// It is in all places at one time (Pike's machine), so that each byte costs the length of the pattern at most and
/// nothing is tried twice. Whoever only asks whether there is a match takes ``PatternSearch``.
struct PatternMatcher {
    /// The places where the machine is, the preferred one first, and what each has remembered.
    private struct Threads {
        var steps: [Int] = []
        /// What the thread at each of ``steps`` has remembered.
        var slots: [[Int]] = []
        var isReached: [Bool]
        /// Every step that was reached.
        var reached: [Int] = []

        init(count: Int) { isReached = Array(repeating: false, count: count) }

        mutating func removeAll() {
            for step in reached { isReached[step] = false }
            reached.removeAll(keepingCapacity: true)
            steps.removeAll(keepingCapacity: true)
            slots.removeAll(keepingCapacity: true)
        }
    }

    private let program: PatternProgram
    private let slotCount: Int
    /// The bytes with which a match may begin.
    private let first: [Bool]

    init(_ pattern: Pattern) {
        program = pattern.program
        slotCount = 2 * (pattern.groups.count + 1)
        first = Self.first(pattern.program)
    }

    /// Looks for the leftmost match.
    ///
    /// - Parameters:
    ///   - text: Where.
    ///   - start: The first place where it may begin.
    ///   - budget: Places that may still be looked at; looking for the next match may look at the same ones again.
    /// - Returns: Where the match and its groups begin and end, two numbers for each; -1 for a group that has no part
    ///   in it. `nil` where there is no match.
    func match(in text: [UInt8], from start: Int, budget: inout Int) -> [Int]? {
        var threads = Threads(count: program.steps.count)
        var next = threads
        var found: [Int]?
        var position = start
        while position <= text.count, budget > 0 {
            budget -= 1
            if found == nil {
                if threads.steps.isEmpty {
                    while position < text.count, !first[Int(text[position])] { position += 1 }
                }
                var slots = Array(repeating: -1, count: slotCount)
                slots[0] = position
                add(0, slots, &threads, text, position)
            }
            guard !threads.steps.isEmpty else {
                // Nothing begins here: an assertion does not hold.
                guard found == nil else { break }
                threads.removeAll()
                position += 1
                continue
            }
            for (step, slots) in zip(threads.steps, threads.slots) {
                if case .found = program.steps[step] {
                    found = slots
                    found?[1] = position
                    // Those that follow are less preferred.
                    break
                }
                guard position < text.count, case .byte(let set) = program.steps[step],
                    program.sets[set].contains(text[position])
                else { continue }
                add(step + 1, slots, &next, text, position + 1)
            }
            swap(&threads, &next)
            next.removeAll()
            position += 1
        }
        return found
    }

    /// Follows the ways from `step` that take no byte.
    private func add(_ step: Int, _ slots: [Int], _ threads: inout Threads, _ text: [UInt8], _ place: Int) {
        var open = [(step, slots)]
        while let (step, slots) = open.popLast() {
            guard !threads.isReached[step] else { continue }
            threads.isReached[step] = true
            threads.reached.append(step)
            switch program.steps[step] {
            case .jump(let there):
                open.append((there, slots))
            case .split(let here, let there):
                open.append((there, slots))
                open.append((here, slots))
            case .save(let number):
                var slots = slots
                slots[number] = place
                open.append((step + 1, slots))
            case .assert(let assertion):
                if Self.holds(assertion, in: text, at: place) { open.append((step + 1, slots)) }
            case .byte, .found:
                threads.steps.append(step)
                threads.slots.append(slots)
            }
        }
    }

    private static func holds(_ assertion: PatternNode.Assertion, in text: [UInt8], at place: Int) -> Bool {
        let before = place > 0 ? text[place - 1] : nil
        let after = place < text.count ? text[place] : nil
        let isBoundary =
            (before.map(ByteSet.word.contains) ?? false) != (after.map(ByteSet.word.contains) ?? false)
        return switch assertion {
        case .textStart: before == nil
        case .textEnd: after == nil
        case .finalLineEnd: after == nil || (after == 0x0a && place + 1 == text.count)
        case .lineStart: before == nil || before == 0x0a
        case .lineEnd: after == nil || after == 0x0a
        case .wordBoundary: isBoundary
        case .insideWord: !isBoundary
        }
    }

    /// The bytes with which a match may begin: all of them where one may be empty.
    private static func first(_ program: PatternProgram) -> [Bool] {
        var first = Array(repeating: false, count: 256)
        var isReached = Array(repeating: false, count: program.steps.count)
        var open = [0]
        while let step = open.popLast() {
            guard !isReached[step] else { continue }
            isReached[step] = true
            switch program.steps[step] {
            case .jump(let there): open.append(there)
            case .split(let here, let there): open += [here, there]
            case .save, .assert: open.append(step + 1)
            case .found: return Array(repeating: true, count: 256)
            case .byte(let set):
                for byte in UInt8.min...UInt8.max where program.sets[set].contains(byte) {
                    first[Int(byte)] = true
                }
            }
        }
        return first
    }
}
