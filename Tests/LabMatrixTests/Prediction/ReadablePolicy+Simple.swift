import PinholeTrust

extension SystemPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading { .judges(JudgingSemantics()) }
}

extension BasicX509Policy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        .judges(
            JudgingSemantics {
                $0.checksName = false
                $0.checksPurpose = false
            }
        )
    }
}

extension AnchorsOnlyPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        .judges(JudgingSemantics([context.anchors(anchors)]))
    }
}

extension CTRequiredPolicy: ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        PolicySemantics.anyMechanism.map { form in form.judging { $0.timestamps = .twoLogs } }
    }

    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard rules == .logs(2) else { return .unknown("the lab's certificates hold timestamps of two logs") }
        return .judges(JudgingSemantics { $0.timestamps = .twoLogs })
    }
}

extension MustStaplePolicy: ReadablePolicy {
    func forms(_ context: SemanticsContext) -> [PolicySemantics] {
        PolicySemantics.anyMechanism.map { form in form.judging { $0.honoursStapling = true } }
    }

    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        guard !always else { return .unknown("it asks for a response where the leaf does not") }
        return .judges(JudgingSemantics { $0.honoursStapling = true })
    }
}

extension CertificatePolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let pinned = context.holders(certificates)
        return .judges(JudgingSemantics(pins: [.init(.certificate, of: pinned, in: scope.place)]))
    }
}

extension SPKIPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        .judges(JudgingSemantics(pins: [.init(.key, of: context.holders(pins), in: scope.place)]))
    }
}

extension RawKeyPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let pinned = context.holders { certificate in
            pins.contains { $0.digest == certificate.rawKeySHA256 }
        }
        return .judges(JudgingSemantics(pins: [.init(.key, of: pinned, in: .leaf)]))
    }
}

extension BrokenPolicy: ReadablePolicy {
    func semantics(_ context: SemanticsContext) -> SemanticsReading {
        let pinned = context.holders(pins)
        switch kind {
        case .acceptAll: return .judges(JudgingSemantics([]))
        case .presentedSPKI:
            return .judges(JudgingSemantics(pins: [.init(.key, of: pinned, in: .presented)]))
        case .noHost:
            let lists = pins.isEmpty ? [] : [JudgingSemantics.PinList(.key, of: pinned, in: .path)]
            return .judges(JudgingSemantics(pins: lists) { $0.checksName = false })
        case .unvalidatedSPKI:
            return .judges(JudgingSemantics([], pins: [.init(.key, of: pinned, in: scope.place)]))
        }
    }
}

extension PinScope {
    fileprivate var place: JudgingSemantics.PinList.Place { self == .leaf ? .leaf : .path }
}
