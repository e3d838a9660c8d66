Feature: The special claim lives as long as its pod

  Background:
    Given a device class "gpu" for "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:the-claim-goes-with-its-pod-and-its-devices-serve-a
  @KEP-5004/lifecycle/deleted-with-pod @KEP-5004/lifecycle/managed-by-scheduler-and-gc
  Scenario: The claim goes with its pod, and its devices serve a pod that waits
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    And a pod "q" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "q" is pending
    When pod "p" is deleted
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p" does not exist
    And pod "q" runs
    And claim "extended resources of pod q" gets 2 devices

  @case:a-claim-that-the-pod-has-named-stays-when-the
  @KEP-5004/lifecycle/deleted-with-pod
  Scenario: A claim that the pod has named stays when the special claim goes
    Given a claim "c" requesting 1 device of class "gpu"
    When a pod "p" that uses claim "c" and requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    When pod "p" is deleted
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p" does not exist
    And the ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |
    And claim "c" is not allocated

  @case:a-pod-that-finishes-gives-its-devices-back
  @KEP-5004/lifecycle/deleted-with-pod
  Scenario: A pod that finishes gives its devices back
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And pod "p" finishes
    And the cluster settles
    Then pod "q" runs

  @case:a-special-claim-goes-when-its-pod-though-the-pod-is
  @KEP-5004/lifecycle/managed-by-scheduler-and-gc @profile:since-1.34
  Scenario Outline: A special claim goes when its pod <ends>, though the pod is still there
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    When pod "p" <ends>
    And the cluster settles
    Then the ResourceClaim "extended resources of pod p" does not exist
    And the Pod "p" has
      | field        | value   |
      | status.phase | <phase> |

    Examples:
      | ends     | phase     |
      | finishes | Succeeded |
      | fails    | Failed    |

  @case:only-pods-that-are-served-by-a-class-have-a-claim
  @KEP-5004/lifecycle/managed-by-scheduler-and-gc @KEP-5004/limits/pod-status-and-class-growth
  Scenario: Only pods that are served by a class have a claim made for them
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" without claims is created
    And the cluster settles
    Then claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod q" gets 1 device
    And pod "r" has no special claim

  @case:a-pod-that-is-made-again-under-its-name-gets-a-claim
  @KEP-5004/special-claim/not-confused-with-foreign-claims @KEP-5004/lifecycle/deleted-with-pod
  Scenario: A pod that is made again under its name gets a claim of its own
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    When pod "p" is deleted
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod p" is reserved for pod "p"

  @case:a-pod-that-is-made-again-while-the-claim-of-the
  @KEP-5004/special-claim/generated-name @KEP-5004/lifecycle/deleted-with-pod
  Scenario: A pod that is made again while the claim of the first is held gets a claim of another name
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    When the ResourceClaim "extended resources of pod p" is updated with
      | field               | value              |
      | metadata.finalizers | [example.com/hold] |
    And pod "p" is deleted
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster settles
    Then pod "p" runs
    And claim "extended resources of pod p" gets 1 device
    And claim "extended resources of pod p" is reserved for pod "p"

  @case:a-class-reads-the-same-in
  @KEP-5004/upgrade-downgrade/api-roundtrip
  Scenario Outline: A class reads the same in <version>
    When the DeviceClass "gpu" is read in version "<version>"
    Then it reads
      | field                     | value                      |
      | apiVersion                | resource.k8s.io/<version>  |
      | spec.extendedResourceName | example.com/gpu            |

    @profile:kep @profile:since-1.34
    Examples:
      | version |
      | v1      |

    @profile:kep @profile:from-1.34-to-1.36
    Examples:
      | version |
      | v1beta1 |
      | v1beta2 |

  @case:a-class-that-stands-for-no-resource-reads-so-in
  @KEP-5004/upgrade-downgrade/api-roundtrip @profile:kep @profile:from-1.34-to-1.36
  Scenario Outline: A class that stands for no resource reads so in <version>
    Given a device class "plain"
    When the DeviceClass "plain" is read in version "<version>"
    Then it reads
      | field                     | value |
      | spec.extendedResourceName |       |

    Examples:
      | version |
      | v1beta1 |
      | v1beta2 |
      | v1      |
