Feature: Lifetime of the extended-resource claim

  Background:
    Given a DeviceClass "gpu" for extended resource "example.com/gpu"
    And the devices
      | device |
      | gpu-0  |
      | gpu-1  |

  @case:pod-deleted-devices-free
  @KEP-5004/lifecycle/deleted-with-pod @KEP-5004/lifecycle/managed-by-scheduler-and-gc
  Scenario: An extended-resource claim is deleted with its pod and its devices go to a Pending pod
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" does not exist
    And pod "q" is Running
    And ResourceClaim "extended resources of pod q" is allocated 2 devices

  @case:pod-deleted-own-claim-kept
  @KEP-5004/lifecycle/deleted-with-pod
  Scenario: A ResourceClaim of a pod is kept when the pod and its extended-resource claim are deleted
    Given a ResourceClaim "c" requesting 1 device of class "gpu"
    When a pod "p" that uses ResourceClaim "c" and requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When pod "p" is deleted
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" does not exist
    And ResourceClaim "c" has
      | field         | value |
      | metadata.name | c     |
    And ResourceClaim "c" is not allocated

  @case:finished-pod-releases-devices
  @KEP-5004/lifecycle/managed-by-scheduler-and-gc @profile:since-1.34
  Scenario: A pod that finishes releases the devices of its extended-resource claim
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And pod "p" finishes
    And the cluster reaches a steady state
    Then pod "q" is Running
    But in Kubernetes 1.34, because the ResourceClaim controller of this release does not look at the extended-resource claims of finished pods: pod "q" is Pending

  @case:ended-pod-claim-deleted
  @KEP-5004/lifecycle/managed-by-scheduler-and-gc @profile:since-1.34
  Scenario Outline: An extended-resource claim is deleted when its pod succeeds or fails
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When pod "p" <ends>
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" does not exist
    And pod "p" has
      | field        | value   |
      | status.phase | <phase> |
    But in Kubernetes 1.34, because the ResourceClaim controller of this release does not look at the extended-resource claims of finished pods: ResourceClaim "extended resources of pod p" is allocated

    Examples:
      | ends     | phase     |
      | finishes | Succeeded |
      | fails    | Failed    |

  @case:claims-only-for-backed-resources
  @KEP-5004/special-claim/only-dra-backed-resources
  Scenario: Only pods with a DRA-backed extended resource get an extended-resource claim
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And a pod "q" that requests 1 of "example.com/gpu" is created
    And a pod "r" without ResourceClaims is created
    And the cluster reaches a steady state
    Then ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod q" is allocated 1 device
    And pod "r" has no extended-resource claim

  @case:recreated-pod-new-claim
  @KEP-5004/special-claim/not-confused-with-foreign-claims
  Scenario: A pod recreated with the same name gets its own extended-resource claim
    When a pod "p" that requests 2 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When pod "p" is deleted
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"

  @case:recreated-pod-old-claim-held
  @KEP-5004/special-claim/generated-name @KEP-5004/special-claim/not-confused-with-foreign-claims
  Scenario: A recreated pod gets its own extended-resource claim while the old claim still exists
    When a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    When ResourceClaim "extended resources of pod p" is updated with
      | field               | value              |
      | metadata.finalizers | [example.com/hold] |
    And pod "p" is deleted
    And a pod "p" that requests 1 of "example.com/gpu" is created
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "extended resources of pod p" is allocated 1 device
    And ResourceClaim "extended resources of pod p" is reserved for pod "p"

  @case:name-in-all-versions
  @KEP-5004/upgrade-downgrade/api-roundtrip
  Scenario Outline: A DeviceClass has the same extendedResourceName in every served version
    When DeviceClass "gpu" is read in version "<version>"
    Then the object read has
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

  @case:no-name-in-all-versions
  @KEP-5004/upgrade-downgrade/api-roundtrip @profile:kep @profile:from-1.34-to-1.36
  Scenario Outline: A DeviceClass without extendedResourceName has none in any served version
    Given a DeviceClass "plain"
    When DeviceClass "plain" is read in version "<version>"
    Then the object read has
      | field                     | value |
      | spec.extendedResourceName |       |

    Examples:
      | version |
      | v1beta1 |
      | v1beta2 |
      | v1      |
