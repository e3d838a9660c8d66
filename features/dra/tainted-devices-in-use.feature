@profile:kep @profile:since-1.34
Feature: Taints of devices that are in use

  @DRA/eviction/claim-freed-afterwards
  Scenario: Pods of a device with a NoExecute taint are evicted, and their successors do not get it
    Given the device
      | device |
      | gpu-0  |
    And a claim "c" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" runs
    When the driver changes the device "gpu-0"
      | field  | value                              |
      | taints | [{key: broken, effect: NoExecute}] |
    And the cluster settles
    Then the Pod "p" does not exist
    And claim "c" is not allocated
    When a pod "q" that uses claim "c" is created
    And the cluster settles
    Then pod "q" is pending
    When the driver changes the device "gpu-0"
      | field  | value |
      | taints | null  |
    And the cluster settles
    Then pod "q" runs

  @DRA/taint-rule/lifetime
  Scenario: A taint is there as long as its rule
    Given the devices
      | device |
      | gpu-0  |
    And the device taint rule "r"
      | driver          | device | taint            |
      | dra.example.com | gpu-0  | busy:NoSchedule |
    And a claim "c" requesting 1 device
    And a claim "d" requesting 1 device
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is pending
    When the DeviceTaintRule "r" is updated with
      | field                      | value |
      | spec.deviceSelector.device | gpu-1 |
    And the cluster settles
    Then pod "p" runs
    When the driver publishes the devices
      | device |
      | gpu-0  |
      | gpu-1  |
    And a pod "q" that uses claim "d" is created
    And the cluster settles
    Then pod "q" is pending
    When the DeviceTaintRule "r" is deleted
    And the cluster settles
    Then pod "q" runs
    And claim "d" gets exactly
      | device |
      | gpu-1  |

  @DRA/taint-rule/independent-of-driver
  Scenario: A rule leaves the slice of the driver and the driver's own taints as they are
    Given the device
      | device | taints          |
      | gpu-0  | warm:NoSchedule |
    And the device taint rule "r"
      | driver          | taint           |
      | dra.example.com | busy:NoSchedule |
    And a claim "c" with the request
      | request | tolerations     |
      | r0      | busy:NoSchedule |
    And a claim "d" with the request
      | request | tolerations                      |
      | r0      | busy:NoSchedule, warm:NoSchedule |
    And a pod "p" that uses claim "c"
    When the cluster settles
    Then pod "p" is pending
    And the ResourceSlice "pool-1-slice" has
      | field                         | value |
      | spec.devices[0].taints[0].key | warm  |
      | spec.devices[0].taints[1]     | null  |
    When a pod "q" that uses claim "d" is created
    And the cluster settles
    Then pod "q" runs

  @DRA/taint/noschedule-blocks-allocation
  Scenario: What a pod tolerates of nodes it does not tolerate of devices
    Given a node "node-1"
    And a device class "gpu" for "example.com/gpu"
    And the device
      | device | taints            |
      | gpu-0  | broken:NoSchedule |
    And the object
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: p, namespace: default}
      spec:
        tolerations: [{key: broken, operator: Exists}]
        containers:
          - name: main
            image: registry.k8s.io/pause:3.10
            resources: {limits: {example.com/gpu: 1}, requests: {example.com/gpu: 1}}
      """
    When the cluster settles
    Then pod "p" is pending
    And pod "p" has no special claim
