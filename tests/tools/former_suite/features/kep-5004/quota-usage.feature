@profile:kep @profile:since-1.35
Feature: What claims and pods count against quotas
  Pods count what they request by name. Claims count their devices, for the class and for the extended resource that
  the class stands for. What a pod and its special claim both ask for is counted once.

  Background:
    Given a device class "mygpuclass" for "example.com/gpu"

  Rule: A pod and its special claim are counted once

    @case:a-pod-that-asks-for-and-its-special-claim-count-once
    @KEP-5004/quota/no-double-count @KEP-5004/quota/class-counts-special-claims @KEP-5004/quota/implicit-counts-claims-and-explicit-dra
    Scenario Outline: A pod that asks for <resource> and its special claim count once everywhere
      Given a pod "p" that requests 2 of "<resource>"
      And a claim "s" requesting 2 devices of class "mygpuclass"
      And claim "s" is the special claim of pod "p"
      When the usage of namespace "default" is counted
      Then the namespace uses 2 of "requests.example.com/gpu"
      And the namespace uses 2 of "requests.deviceclass.resource.kubernetes.io/mygpuclass"
      And the namespace uses 2 of "mygpuclass.deviceclass.resource.k8s.io/devices"

      Examples:
        | resource                                      |
        | example.com/gpu                               |
        | deviceclass.resource.kubernetes.io/mygpuclass |
