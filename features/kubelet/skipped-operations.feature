@profile:kep
Feature: A kubelet does not call drivers whose devices skip node operations
  skipNodeOperations of a ResourceSlice, which each allocation copies, lists calls that the devices do not need.
  The feature gate DRAOptionalNodeOperations of Kubernetes 1.37 is on.

  Background:
    Given DRA driver "dra.example.com" on the node
    And a pod "p" that uses ResourceClaim "c"

  @case:operations-of-all-devices
  @KUBELET/prepare/skips
  Scenario Outline: A driver is called only for operations that its devices do not skip
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 2}}]}}
      status:
        allocation:
          devices:
            results:
              - {request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0, skipNodeOperations: <first>}
              - {request: r0, driver: dra.example.com, pool: pool-1, device: gpu-1, skipNodeOperations: <second>}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And <prepare>
    When the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And <unprepare>

    @key:skipped
    Examples:
      | skipped         | first                                            | second                                           | prepare                                                              | unprepare                                                              |
      | all             | ["*"]                                            | ["*"]                                            | no driver is called                                                  | no driver is called                                                    |
      | prepare         | [NodePrepareResources]                           | [NodePrepareResources]                           | no driver is called                                                  | driver "dra.example.com" is called once to unprepare ResourceClaim "c" |
      | unprepare       | [NodeUnprepareResources]                         | [NodeUnprepareResources]                         | driver "dra.example.com" is called once to prepare ResourceClaim "c" | no driver is called                                                    |
      | both            | [NodePrepareResources, NodeUnprepareResources]   | ["*"]                                            | no driver is called                                                  | no driver is called                                                    |
      | of-first-device | ["*"]                                            | []                                               | driver "dra.example.com" is called once to prepare ResourceClaim "c" | driver "dra.example.com" is called once to unprepare ResourceClaim "c" |
      | different       | [NodePrepareResources]                           | [NodeUnprepareResources]                         | driver "dra.example.com" is called once to prepare ResourceClaim "c" | driver "dra.example.com" is called once to unprepare ResourceClaim "c" |

  @case:driver-not-registered
  @KUBELET/prepare/skips
  Scenario: A pod is prepared although a driver whose operations are skipped is not registered
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 2}}]}}
      status:
        allocation:
          devices:
            results:
              - {request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0}
              - {request: r0, driver: net.example.com, pool: nets, device: net-0, skipNodeOperations: ["*"]}
      """
    When the kubelet prepares pod "p"
    Then pod "p" is prepared
    And driver "dra.example.com" is called once to prepare ResourceClaim "c"
    And container "main" of pod "p" gets the device "gpu-0"
    When the kubelet unprepares pod "p"
    Then driver "dra.example.com" is called once to unprepare ResourceClaim "c"
    And pod "p" does not need to be unprepared

  @case:skipped-after-restart
  @KUBELET/prepare/skips
  Scenario: A restarted kubelet still skips the operation that a ResourceClaim does not need
    Given the object
      """
      apiVersion: resource.k8s.io/v1
      kind: ResourceClaim
      metadata: {name: c, namespace: default}
      spec: {devices: {requests: [{name: r0, exactly: {deviceClassName: any, allocationMode: ExactCount, count: 1}}]}}
      status:
        allocation:
          devices:
            results: [{request: r0, driver: dra.example.com, pool: pool-1, device: gpu-0, skipNodeOperations: [NodeUnprepareResources]}]
      """
    When the kubelet prepares pod "p"
    Then driver "dra.example.com" is called once to prepare ResourceClaim "c"
    When the kubelet is killed and started again
    And the kubelet unprepares pod "p"
    Then pod "p" is unprepared
    And no driver is called
