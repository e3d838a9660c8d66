@profile:kep @profile:since-1.34
Feature: A pod is bound after the devices of its claims are ready
  A device may name binding conditions. Until its driver reports all of them as true the pod has no node. A pod is not bound
  with a device whose binding failure condition is true.

  Background:
    Given the device
      | device | bindingConditions     | bindingFailureConditions |
      | gpu-0  | attached, initialized | broken                   |
    And a ResourceClaim "c" requesting 1 device

  @case:waits-for-all-conditions
  @API/binding/waits
  Scenario: A pod is bound only after both binding conditions of its device are true
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "p" has
      | field         | value |
      | spec.nodeName | null  |
    And ResourceClaim "c" is allocated exactly
      | device |
      | gpu-0  |
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
    When the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And ResourceClaim "c" is prepared on no node
    When the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Running
    And ResourceClaim "c" keeps its allocation

  @case:false-and-unknown-not-ready
  @API/binding/waits
  Scenario Outline: A pod is not bound while the binding condition of its device is False or Unknown
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "<status>", reason: Late, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"

    Examples:
      | status  |
      | False   |
      | Unknown |

  @case:one-of-two-devices-ready
  @API/binding/waits
  Scenario: A pod stays Pending if only one of its devices has true binding conditions
    Given the devices
      | device | pool   | bindingConditions | bindingFailureConditions |
      | nic-0  | pool-2 | attached          | broken                   |
      | nic-1  | pool-2 | attached          | broken                   |
    And a ResourceClaim "d" requesting 3 devices
    And a pod "p" that uses ResourceClaim "d"
    When the cluster reaches a steady state
    And the status of ResourceClaim "d" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-2
          device: nic-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "d" is reserved for pod "p"

  @case:same-device-name-other-pool
  @API/binding/waits
  Scenario: A binding condition does not apply to a device with the same name in another pool
    Given the devices
      | device | pool   | bindingConditions | bindingFailureConditions |
      | gpu-7  | pool-2 | attached          | broken                   |
      | gpu-7  | pool-3 | attached          | broken                   |
    And a ResourceClaim "d" requesting 3 devices
    And a pod "p" that uses ResourceClaim "d"
    When the cluster reaches a steady state
    And the status of ResourceClaim "d" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-3
          device: gpu-7
          conditions: [{type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}]
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "d" is reserved for pod "p"

  @case:second-pod-waits
  @API/binding/waits
  Scenario: Two pods that share a ResourceClaim stay Pending while its device is not ready
    Given a pod "p" that uses ResourceClaim "c"
    And a pod "r" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And pod "r" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pods "p, r"

  @case:two-claims-first-waits
  @API/binding/waits
  Scenario: A pod stays Pending if the device of its first claim is not ready
    Given the device
      | device | driver            | pool   |
      | plain  | plain.example.com | pool-2 |
    And a ResourceClaim "d" with the request
      | selector                             |
      | device.driver == "plain.example.com" |
    And a pod "p" that uses ResourceClaims "c, d"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "d" is reserved for pod "p"

  @case:two-claims-last-waits
  @API/binding/waits
  Scenario: A pod stays Pending if the device of its last claim is not ready
    Given the device
      | device | driver            | pool   |
      | plain  | plain.example.com | pool-2 |
    And a ResourceClaim "d" with the request
      | selector                             |
      | device.driver == "plain.example.com" |
    And a pod "p" that uses ResourceClaims "d, c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "d" is reserved for pod "p"

  @case:failed-device-with-true-conditions
  @API/binding/failure
  Scenario Outline: A pod is not bound if a binding failure condition of its device is true
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    And the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: broken, status: "<broken>", reason: Lost, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "p" is <phase>

    Examples:
      | broken | phase   |
      | True   | Pending |
      | False  | Running |

  @case:deleted-while-waiting @key:scheduler
  @API/binding/waits
  Scenario Outline: The next pod can use a ResourceClaim whose pod is deleted before the device is ready
    Given a pod "p" that uses ResourceClaim "c"
    When the cluster reaches a steady state
    Then pod "p" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "p"
    When <components>
    And the cluster reaches a steady state
    And pod "p" is deleted
    And the cluster reaches a steady state
    Then since Kubernetes 1.34, because the document does not say when an unused ResourceClaim is deallocated: ResourceClaim "c" is not allocated
    When a pod "q" that uses ResourceClaim "c" is created
    And the cluster reaches a steady state
    Then pod "q" is Pending
    And since Kubernetes 1.34, because the document does not say when a ResourceClaim is reserved: ResourceClaim "c" is reserved for pod "q"
    When the status of ResourceClaim "c" is patched with
      """
      status:
        devices:
        - driver: dra.example.com
          pool: pool-1
          device: gpu-0
          conditions:
          - {type: attached, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
          - {type: initialized, status: "True", reason: Done, message: "", lastTransitionTime: "2026-01-01T00:00:00Z"}
      """
    And the cluster reaches a steady state
    Then pod "q" is Running

    Examples:
      | components                         | scheduler |
      | the cluster reaches a steady state | running   |
      | the scheduler restarts             | restarted |
