import PinholeModel

/// Finds the leftmost match of a pattern and the matches of its groups, with Python's preferences.
///
/// The matcher follows all alternatives at the same time (Pike's machine). So each byte costs at most the length of the
/// pattern, and nothing is tried twice. ``PatternSearch`` is faster if only the presence of a match matters.
struct PatternMatcher {
    /// The current steps of the machine, the preferred one first, and the remembered places of each.
    private struct Threads {
        var steps: [Int] = []
        /// The remembered places of the thread at each of ``steps``.
        var slots: [[Int]] = []
        var isReached: [Bool]
        /// All steps that were reached, to reset ``isReached`` cheaply.
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

    /// Finds the leftmost match.
    ///
    /// - Parameters:
    ///   - text: The text to search.
    ///   - start: The first place at which the match may begin.
    ///   - budget: The number of places that may still be visited; a search for the next match may visit some again.
    /// - Returns: The start and the end of the match and of each group, two numbers for each, -1 for a group that did
    ///   not take part; `nil` if there is no match.
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
                // No match begins here: an assertion does not hold.
                guard found == nil else { break }
                threads.removeAll()
                position += 1
                continue
            }
            for (step, slots) in zip(threads.steps, threads.slots) {
                if case .found = program.steps[step] {
                    found = slots
                    found?[1] = position
                    // The remaining threads are less preferred.
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

    /// Adds the steps that can be reached from `step` without taking a byte.
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

    /// Returns the bytes with which a match may begin: all bytes if a match may be empty.
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
